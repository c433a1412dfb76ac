"""What was not fitted, beside its published value: how much of the paper follows from competence and correlation.

Fitted are kappas, recalls, coverage, error correlations and two interval widths (the average member's on matched pairs,
the stacked panel's minus the frontier judge's); what was fitted of the second arms stands in
:mod:`analysis.simulation.distance_beside`. All else of the panel is a consequence: how the combined panel does, by
how much it differs from single members and how clearly, how soon few labels give the call and the stacker.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from analysis.statistics.intervals import Interval
from analysis.statistics.readings import reading

_FILE = Path(__file__).parent / "published.json"
#: Combined panels and members chosen from the votes; the fitted kappas fix the oracle and the average member.
METHODS = ("unweighted", "dawid_skene", "accuracy_weighted", "log_odds_weighted", "best_cv", "stacked")
DELTAS = (
    "stacked-best_cv",
    "stacked-oracle",
    "stacked-best_on_average",
    "stacked-average_member",
    "stacked-unweighted",
    "stacked-dawid_skene",
    "best_cv-unweighted",
)


def read_published() -> Mapping[str, Any]:
    """By benchmark, the published values of what the simulation does not fit."""
    values: Mapping[str, Any] = _file()["benchmarks"]
    return values


def published_mean_edges() -> Mapping[str, float]:
    """By frame, the published mean of the stacked panel minus its CV-best member over the claim sets."""
    values: Mapping[str, float] = _file()["mean_edges"]
    return values


@cache
def _file() -> Mapping[str, Any]:
    values: Mapping[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return values


def compare(
    published: Mapping[str, Any],
    ladder: Mapping[str, Any],
    frontier: Mapping[str, Any],
    budget: Mapping[str, Any],
    curve: Mapping[str, Any],
) -> dict[str, Any]:
    """One benchmark's quantities, simulated beside published.

    Parameters
    ----------
    published : the benchmark's entry of :func:`read_published`
    ladder, budget, curve : values of the steps ``ladder``, ``regime_budget`` and ``learning_curve``
    frontier : the paired difference stacked panel minus frontier judge, as plain values
    """
    call = ladder["admissibility"]
    return {
        "kappa": {
            method: score_pair(published["kappa"][method], ladder["methods"][method]["kappa"])
            for method in METHODS
        },
        "deltas": {
            name: _delta(published["deltas"][name], ladder["deltas"][name]["kappa"]) for name in DELTAS
        }
        | {"stacked-frontier": _delta(published["panel_minus_frontier"], frontier)},
        "call": {
            "published": published["admissible"],
            "simulated": call["admissible"],
            "same": published["admissible"] == call["admissible"],
        },
        "same_call_at_budget": {
            records: pair(value, budget["budgets"][records]["same_call"])
            for records, value in published["p_call"].items()
        },
        "stacked_at_budget": {
            records: pair(
                value,
                curve["full_pool"]["kappa"]
                if records == "full"
                else curve["budgets"][records]["stacked"]["mean"],
            )
            for records, value in published["stacked_at_budget"].items()
        },
    }


def summarise(benchmarks: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Distances over the benchmarks, by quantity, and how often readings and calls agree."""
    entries = list(benchmarks.values())
    deltas = [delta for entry in entries for delta in entry["deltas"].values()]
    headline = [entry["deltas"]["stacked-best_cv"] for entry in entries]
    return {
        "kappa": {method: distances(entry["kappa"][method] for entry in entries) for method in METHODS},
        "deltas": {
            name: distances(entry["deltas"][name] for entry in entries)
            for name in (*DELTAS, "stacked-frontier")
        },
        "same_call_at_budget": distances(v for e in entries for v in e["same_call_at_budget"].values()),
        "stacked_at_budget": distances(v for e in entries for v in e["stacked_at_budget"].values()),
        "readings": {"same": sum(delta["same_reading"] for delta in deltas), "of": len(deltas)},
        "readings_against_best_cv": {
            "same": sum(delta["same_reading"] for delta in headline),
            "of": len(headline),
        },
        "calls": {"same": sum(entry["call"]["same"] for entry in entries), "of": len(entries)},
    }


def score_pair(published: Sequence[float], simulated: Mapping[str, Any]) -> dict[str, Any]:
    """A score's published triple (mean of the draws, ends of its interval) beside the simulated mean of the draws."""
    value = simulated["resample_mean"]
    return pair(published[0], value) | {
        "published_interval": published[1:],
        "inside": None if value is None else published[1] <= value <= published[2],
    }


def _delta(published: list[float], simulated: Mapping[str, Any]) -> dict[str, Any]:
    there = reading(Interval(published[0], published[1], published[2], undefined_draws=0))
    return score_pair(published, simulated) | {
        "published_reading": there,
        "simulated_reading": simulated["reading"],
        "same_reading": there == simulated["reading"],
    }


def pair(published: float, simulated: float | None) -> dict[str, Any]:
    """A published value beside the simulated one."""
    distance = None if simulated is None else simulated - published
    return {"published": published, "simulated": simulated, "distance": distance}


def distances(pairs: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Mean, mean absolute and largest absolute distance of the defined pairs."""
    values = np.array([pair["distance"] for pair in pairs if pair["distance"] is not None])
    if len(values) == 0:
        return {
            "mean": None,
            "mean_absolute": None,
            "largest": None,
            "n": 0,
            "reason": "no pair has two values",
        }
    return {
        "mean": float(values.mean()),
        "mean_absolute": float(np.abs(values).mean()),
        "largest": float(np.abs(values).max()),
        "n": len(values),
    }
