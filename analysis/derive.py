"""Run a step of ``analysis.steps`` on a suite's released records."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from analysis.derived import Derived, table_order
from analysis.skip import Skip
from analysis.steps.context import BenchmarkContext, SuiteContext
from analysis.suites import load_panel, records_digest
from verdicts.records.suite import read_suite


def derive_benchmark(step: str, suite: Path, derived: Path, benchmark: str) -> dict[str, Any]:
    """Values of a step of scope ``benchmark``; ``{"skipped": reason}`` where the suite lacks what it needs.

    Parameters
    ----------
    step : name of the module
    suite : folder of the released records
    derived : folder of the suite's derived files, which hold those that the step reads
    """
    return _values(step, _context(suite, derived, benchmark))


def derive_suite(step: str, suite: Path, derived: Path, benchmarks: Sequence[str]) -> dict[str, Any]:
    """Values of a step of scope ``suite``; ``{"skipped": reason}`` where the suite lacks what it needs."""
    contexts = {name: _context(suite, derived, name) for name in table_order(benchmarks)}
    return _values(step, SuiteContext(read_suite(suite), records_digest(suite), contexts, Derived(derived)))


def _context(suite: Path, derived: Path, benchmark: str) -> BenchmarkContext:
    return BenchmarkContext(read_suite(suite), benchmark, load_panel(suite, benchmark), Derived(derived))


def _values(step: str, context: BenchmarkContext | SuiteContext) -> dict[str, Any]:
    try:
        values: dict[str, Any] = import_module(f"analysis.steps.{step}").derive(context)
    except Skip as skip:
        return {"skipped": str(skip)}
    return values
