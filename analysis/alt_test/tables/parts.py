"""Cells and notes that several tables share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.pipeline.derived import Derived
from analysis.tables.cells import Number

PASSED_NOTE = "Bold: the judge passes, ω ≥ 0.5."


def tests(derived: Derived) -> dict[str, Mapping[str, Any]]:
    """The ``test`` step of each set, in the order of their names."""
    return {name: derived.read(name, "test") for name in derived.overview["benchmarks"]}


def omega(judge: Mapping[str, Any]) -> Number:
    """Winning rate, bold where the judge passes."""
    return Number(
        judge["winning_rate"], decimals=2, bold=bool(judge["passes"]), reason=judge.get("reason", "")
    )


def rho(judge: Mapping[str, Any]) -> Number:
    """Advantage probability."""
    return Number(judge["advantage_probability"], reason=judge.get("reason", ""))


def optional(value: float | None, reason: str, decimals: int = 2) -> Number:
    """A number that may have no value."""
    return Number(value, decimals=decimals, reason="" if value is not None else reason)


def sources_note(read: Mapping[str, Mapping[str, Any]]) -> str:
    """Where the annotations come from."""
    return (
        "Sources: "
        + "; ".join(f"{one['set']['title']}, {one['set']['source']}" for one in read.values())
        + "."
    )
