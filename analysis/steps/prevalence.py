"""Readings of the stacked panel at other class shares, on one benchmark (beyond the paper)."""

from __future__ import annotations

from typing import Any

from analysis.estimators.prevalence import prevalence_readings
from analysis.steps.context import BenchmarkContext

SCOPE = "benchmark"
READS: tuple[str, ...] = ()


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """Plain and balanced readings beside each other, and their paired differences."""
    return prevalence_readings(context.votes)
