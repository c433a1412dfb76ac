"""All comparators of one benchmark: what Tables 1, 15, 16, 17 and 22 and Figures 3 and 10 are made from."""

from __future__ import annotations

from typing import Any

from analysis.combiners.dawid_skene import PUBLISHED
from analysis.estimators.ladder import ladder
from analysis.steps.context import BenchmarkContext

SCOPE = "benchmark"
READS = ("overview",)


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """The comparator ladder with the suite's best-on-average member; Dawid-Skene as the paper's tables run it."""
    best = context.derived.overview["best_on_average"]
    return ladder(context.votes, best_on_average=best, dawid_skene=PUBLISHED)
