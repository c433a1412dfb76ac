"""Train all gates of one JudgeMoE pool, and the numbers they give; run by the Python that has torch.

``judgemoe_train.py POOL GATES DERIVED [SOURCE=PATH ...]``
"""

from __future__ import annotations

import sys
from pathlib import Path

from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.suites.registry import write_derived
from raim.errors import InputError

if __name__ == "__main__":
    pool, gates, derived, *pairs = sys.argv[1:]
    sources = {name: Path(path) for name, path in (pair.split("=", 1) for pair in pairs)}
    book = GateBook(Path(gates), train=True)
    try:
        write_derived(pool, sources, book, Path(derived))
        book.save()
    except InputError as error:
        print(f"raim: error: {error}", file=sys.stderr)
        sys.exit(2)
