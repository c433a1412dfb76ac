"""Table 7: the gold-label learning curve of the aggregator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.estimators.learning_curve import BUDGETS
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell, Number
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 7, "Gold-label learning curve of the aggregator", "RAIM, appendix C"
READS = ("learning_curve",)
_BEYOND = "the budget is beyond the smallest training pool"


def build(derived: Derived) -> Table:
    """Mean kappa of the stacker at every budget below the smallest training pool, and at the full pool."""
    curves, skipped = derived.read_each("learning_curve")
    titles = {name: entry["title"] for name, entry in derived.overview["benchmarks"].items()}
    largest = max(curve["pool"] for curve in curves.values())
    budgets = [budget for budget in BUDGETS if budget <= largest]
    rows: list[list[Cell]] = []
    for name, curve in curves.items():
        # A pool of just a budget's size stands in that budget's column too.
        points = {int(budget): point for budget, point in curve["budgets"].items()}
        full = next(point for point in curve["budgets"].values() if point["full"])
        rows.append(
            [
                titles[name],
                curve["pool"],
                Number(
                    curve["unweighted"], reason="the items that any member committed on have one gold class"
                ),
                *(_mean(points.get(budget)) for budget in budgets),
                _mean(full),
            ]
        )
    gaps = [curve["full_pool"]["gap"] for curve in curves.values() if curve["full_pool"]["gap"] is not None]
    first = next(iter(curves.values()))
    return Table(
        f"Table {NUMBER}",
        f"{NAME}: mean Cohen's κ over {first['n_replicates']} draws a budget, in labelled records. Folds are the "
        f"{first['n_folds']} of the reported stacker, the budget is drawn from each fold's training clusters, and the "
        "out-of-fold predictions are pooled before κ is taken.",
        ("benchmark", "train", "unw.", *map(str, budgets), "full"),
        rows,
        derived.stamp,
        groups=(("", 3), ("labelled records the stacker is fitted on", len(budgets) + 1)),
        footnotes=(
            "train: smallest training pool of a fold, in clusters. unw.: label-free majority vote on the full sample.",
            f"full: the whole pool, on the sample{_gap(gaps)}.",
            *(f"{titles[name]} is left out: {reason}." for name, reason in skipped.items()),
        ),
    )


def _gap(gaps: list[float]) -> str:
    return f"; the reported stacker's mean over resamples differs by {max(gaps):.4f} at most" if gaps else ""


def _mean(point: Mapping[str, Any] | None) -> Number:
    if point is None:
        return Number(None, reason=_BEYOND)
    stacked = point["stacked"]
    return Number(
        stacked["mean"],
        reason=stacked.get("reason", ""),
        details={
            "median": stacked["median"],
            "lower quartile": stacked["low"],
            "upper quartile": stacked["high"],
            "draws": stacked["defined"],
        },
    )
