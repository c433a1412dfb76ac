"""The coverage gate: which judges gave a verdict on too small a share of a benchmark (RAIM, appendix K).

A flag hides nothing: a flagged judge's votes count like any other's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analysis.panel.suites import record_path, votes_of
from analysis.pipeline.derived import table_order
from raim.errors import InputError
from verdicts.records.files import read_record_file
from verdicts.records.index import read_index
from verdicts.records.suite import SCORES, read_suite


@dataclass(frozen=True)
class Coverage:
    """One judge on one benchmark: items with a verdict among those that it has a record of."""

    benchmark: str
    judge: str
    committed: int
    judged: int

    @property
    def share(self) -> float:
        """The coverage; 0 without a record."""
        return self.committed / self.judged if self.judged else 0.0

    def __str__(self) -> str:
        """As pages print it."""
        return f"{self.judge} on {self.benchmark}: {self.share:.3f} ({self.committed} of {self.judged})"


def flagged(overview: Mapping[str, Any]) -> list[Coverage]:
    """Members and comparators of an ``overview`` below its gate, in the order of the tables and of the roster.

    A study of other people's annotations has no gate, and flags nobody.
    """
    if "coverage_gate" not in overview:
        return []
    found = []
    for name in table_order(overview["benchmarks"]):
        entry = overview["benchmarks"][name]
        covered = {**entry["members"], **entry["comparators"]}
        for judge in overview["roster"]:
            # Who committed on nothing is in neither, and has been judged all the same.
            scored = covered[judge]["n_scored"] if judge in covered else 0
            if judge in covered or entry["judged"][judge] == entry["n_items"]:
                found.append(Coverage(name, judge, scored, entry["judged"][judge]))
    return [coverage for coverage in found if coverage.share < overview["coverage_gate"]]


def suite_flagged(folder: Path, gate: float | None = None) -> list[Coverage]:
    """The same of a suite's own records, below its gate or the one given; also of judges that are not done yet.

    Raises InputError where a file cannot be read, or the gate is no share.
    """
    suite = read_suite(folder)
    bar = suite.coverage_gate if gate is None else gate
    if not 0 <= bar <= 1:
        raise InputError(f"coverage gate {bar}: give a share of the items, from 0 to 1, such as 0.95")
    return [coverage for coverage in _coverages(folder) if coverage.share < bar]


def _coverages(folder: Path) -> Iterator[Coverage]:
    suite = read_suite(folder)
    for name in table_order(suite.benchmarks):
        if suite.benchmarks[name].tier == SCORES:
            continue
        rows = read_index(folder / "index" / f"{name}.tsv")
        for judge in suite.members:
            path = record_path(folder, name, judge)
            if path.exists():
                votes = votes_of(read_record_file(path), rows)
                yield Coverage(name, judge, int(np.isfinite(votes).sum()), int((~np.isinf(votes)).sum()))
