"""Abstention encoded as a category rather than as 0.5: Table 23."""

from __future__ import annotations

from typing import Any

from analysis.estimators.abstention import encodings
from analysis.steps.context import BenchmarkContext

SCOPE = "benchmark"
READS: tuple[str, ...] = ()


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """The stacker under three encodings."""
    return encodings(context.votes)
