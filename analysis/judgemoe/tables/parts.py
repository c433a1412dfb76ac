"""What several of the tables have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.tables.cells import Number

METHOD_NAMES = {
    "hard_best_single": "Best single, hard",
    "best_single": "Best single",
    "valid_single": "Single by validation",
    "uniform_linear": "Uniform linear",
    "uniform_log": "Uniform log",
    "cov_log": "Cov-log",
    "judgemoe": "JudgeMoE",
    "judgemoe_compact": "JudgeMoE, compact",
}
UNDEFINED = "constant predictions or targets, or fewer than three items"


def number(value: float | None, *, reason: str = UNDEFINED, decimals: int = 4, **style: Any) -> Number:
    """A number with four decimals, as the paper prints correlations."""
    return Number(value, decimals=decimals, reason="" if value is not None else reason, **style)


def entry(values: Mapping[str, Any], **style: Any) -> Number:
    """A score with its own reason, and its interval where it has one."""
    style |= {"low": values.get("low"), "high": values.get("high")}
    return number(values["estimate"], reason=values.get("reason", UNDEFINED), **style)


def spearman(cell: Mapping[str, Any], method: str, **style: Any) -> Number:
    """The Spearman of a method on a cell, without its interval."""
    score = cell["methods"][method]["spearman"]
    return number(score["estimate"], reason=score.get("reason", UNDEFINED), **style)


def count(value: int | None, reason: str = "not printed in the paper") -> int | Number:
    """A count, or why there is none."""
    return value if value is not None else Number(None, reason=reason)
