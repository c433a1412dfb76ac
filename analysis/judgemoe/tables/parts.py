"""What several of the tables have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.tables.cells import Cell, Number

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


def variant_rows(
    variants: Mapping[str, Mapping[str, Any]], titles: Mapping[str, str]
) -> tuple[tuple[str, ...], list[list[Cell]]]:
    """Header and rows of the tables that set variants of a pool against each other: mean, gain and wins over cells."""
    cells = next(iter(variants.values()))["cells"]
    rows: list[list[Cell]] = [
        [
            title,
            number(variants[key]["mean"]),
            number(variants[key]["gain"], signed=True),
            variants[key]["wins"],
        ]
        for key, title in titles.items()
    ]
    return ("Variant", "Avg. Sp.", "Δ vs. single", f"Wins / {cells}"), rows


def strategy_rows(
    strategies: Mapping[str, Mapping[str, Any]], titles: Mapping[str, str]
) -> tuple[tuple[str, ...], list[list[Cell]]]:
    """Header and rows of the tables that set strategies of deployment against each other, those that there are."""
    rows: list[list[Cell]] = [
        [title, number(strategies[key]["mean"]), number(strategies[key]["weighted"])]
        for key, title in titles.items()
        if key in strategies
    ]
    return ("Strategy", "Avg. test Sp.", "Weighted test Sp."), rows
