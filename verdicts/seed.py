"""Bring released records into a store, so that a run goes on from them and judges only what they lack.

The released projection has no raw replies: seeded verdicts cannot be parsed again.
"""

from __future__ import annotations

from pathlib import Path

from raim.errors import InputError
from verdicts.records.files import read_record_file
from verdicts.store import Store


def seed(store: Store, suite: Path) -> int:
    """Add every record of a suite that the store lacks; returns how many.

    Each keeps the run that made it; a suite can be added again. Raises InputError where the folder holds no records,
    or a file of it is damaged.
    """
    paths = sorted((suite / "records").glob("*/*.jsonl.gz"))
    if not paths:
        raise InputError(
            f"{suite}: holds no records (records/<benchmark>/<member>.jsonl.gz); name a suite's folder"
        )
    added = 0
    for path in paths:
        file = read_record_file(path)
        added += store.shard(file.condition).adopt(file.records.values(), file.runs)
    return added
