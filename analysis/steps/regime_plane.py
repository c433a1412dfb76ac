"""The plane of the two coordinates over a whole suite: Figure 3(a), Table 6's suite rows, appendices B and C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from analysis.estimators.admissibility import DECLARED
from analysis.estimators.regime.budget import BUDGETS
from analysis.estimators.regime.plane import (
    Plane,
    invariance_cells,
    invariance_counts,
    kappa_bracket,
    phi_bracket,
)
from analysis.estimators.regime.reference import FRONTIER_ASYMPTOTE, FRONTIER_PANELS
from analysis.skip import Skip
from analysis.statistics.ranks import rank_correlation
from analysis.steps.context import SuiteContext

SCOPE = "suite"
READS = ("overview", "regime", "regime_budget")
#: Step at which the paper moves the competence bar.
KAPPA_STEP = 0.001
_Entries = Mapping[str, Mapping[str, Any]]


def derive(context: SuiteContext) -> dict[str, Any]:
    """Where no benchmark changes side, effective votes, the label-free half, and the budgets over the suite."""
    regimes, left_out = context.derived.read_each("regime")
    left_out |= {name: entry["reason"] for name, entry in regimes.items() if entry["phi_bar"] is None}
    placed = {name: entry for name, entry in regimes.items() if entry["phi_bar"] is not None}
    if not placed:
        raise Skip("phi-bar has no value on any benchmark")
    keys = ("phi_bar", "competent", "required", "admissible", "excess", "n_eff", "leader")
    return {
        "thresholds": {"kappa": DECLARED.kappa, "share": DECLARED.share, "phi": DECLARED.phi},
        "benchmarks": {
            name: {"members": len(entry["members"]), **{key: entry[key] for key in keys}}
            for name, entry in placed.items()
        },
        "left_out": left_out,
        "stability": _stability(placed),
        "effective_votes": _effective_votes(placed),
        "label_free": _label_free(placed),
        "budgets": _budgets(context, placed),
    }


def _stability(placed: _Entries) -> dict[str, Any]:
    """Ranges of the thresholds in which no call changes."""
    entries = list(placed.values())
    plane = Plane(
        phi_bar=np.array([entry["phi_bar"] for entry in entries]),
        competent=np.array([entry["competent"] for entry in entries]),
        members=np.array([len(entry["members"]) for entry in entries]),
    )
    kappas = [
        np.array([0.0 if value is None else value for value in entry["kappas"].values()]) for entry in entries
    ]
    low, high = kappa_bracket(plane.phi_bar, kappas)
    result: dict[str, Any] = {
        "admitted": [name for name, entry in placed.items() if entry["admissible"]],
        "cells": [asdict(cell) for cell in invariance_cells(plane)],
        "phi_bracket": list(phi_bracket(plane.phi_bar)),
        "kappa_bracket": [low, high],
        "kappa_grid": {"step": KAPPA_STEP, **_on_grid(low, high)},
    }
    if len(np.unique(plane.members)) == 1:
        result["counts"] = [asdict(row) for row in invariance_counts(plane)]
    else:
        result["counts"] = None
        result["reason"] = "the panels differ in size, so that a count means another share on each"
    return result


def _on_grid(low: float | None, high: float | None) -> dict[str, float]:
    """First and last multiple of the step in (low, high], between 0 and 1."""
    steps = np.round(np.arange(round(1 / KAPPA_STEP) + 1) * KAPPA_STEP, 3)
    inside = steps[(steps > (-1.0 if low is None else low)) & (steps <= (1.0 if high is None else high))]
    return {"low": float(inside.min()), "high": float(inside.max())}


def _effective_votes(placed: _Entries) -> dict[str, Any]:
    """Beside a frontier panel of another study; its rows are other items, so that only the scale is shared."""
    ours = {name: entry["n_eff"] for name, entry in placed.items()}
    known = [value for value in ours.values() if value is not None]
    best = max(n_eff for _, n_eff in FRONTIER_PANELS.values())
    return {
        "ours": ours,
        "largest": max(known, default=None),
        "frontier_panels": {
            name: {"phi_bar": phi_bar, "n_eff": n_eff} for name, (phi_bar, n_eff) in FRONTIER_PANELS.items()
        },
        "frontier_asymptote": FRONTIER_ASYMPTOTE,
        "above_their_best": sum(value > best for value in known),
        "above_their_asymptote": sum(value > FRONTIER_ASYMPTOTE for value in known),
    }


def _label_free(placed: _Entries) -> dict[str, Any]:
    """What can be known of the two coordinates without gold."""
    entries = [entry for entry in placed.values() if entry["agreement"]["pairs"]]
    agreeing = np.array([entry["agreement"]["votes"] for entry in entries])
    competent = np.array([float(entry["competent"]) for entry in placed.values()])
    return {
        "largest_difference_of_the_identity": max(
            (entry["agreement"]["difference"] for entry in entries), default=None
        ),
        "agreement_and_phi_bar": rank_correlation(
            agreeing, np.array([entry["phi_bar"] for entry in entries])
        ),
        "competence": {
            setting: {
                "against_gold": rank_correlation(
                    np.array([float(entry["label_free"][setting]["competent"]) for entry in placed.values()]),
                    competent,
                ),
                "leaders_found": sum(
                    entry["label_free"][setting]["leader_is_the_gold_leader"] for entry in placed.values()
                ),
                "n_benchmarks": len(placed),
            }
            for setting in ("published", "converged")
        },
    }


def _budgets(context: SuiteContext, placed: _Entries) -> dict[str, Any]:
    """Suite rows of Table 6, over the benchmarks that a budget does not exceed."""
    budgets, _ = context.derived.read_each("regime_budget")
    competent = np.array([entry["competent"] for entry in placed.values()])
    excess = np.array([entry["excess"] for entry in placed.values()])
    result = {}
    for budget in BUDGETS:
        entries = [
            entry["budgets"][str(budget)] for entry in budgets.values() if str(budget) in entry["budgets"]
        ]
        if not entries:
            continue
        errors = {
            key: float(np.median([entry[key]["error_median"] for entry in entries]))
            for key in ("competent", "excess")
        }
        phi_errors = [entry["phi_bar"]["error_median"] for entry in entries]
        phi_errors = [error for error in phi_errors if error is not None]
        result[str(budget)] = {
            "n_benchmarks": len(entries),
            "same_call_mean": float(np.mean([entry["same_call"] for entry in entries])),
            "same_call_min": min(entry["same_call"] for entry in entries),
            "same_leader_mean": float(np.mean([entry["same_leader"] for entry in entries])),
            "phi_bar_error_median": float(np.median(phi_errors)) if phi_errors else None,
            "competent_error_median": errors["competent"],
            "excess_error_median": errors["excess"],
            # Each error as a share of what the statistic spans over the suite: which one resolves finer.
            "competent_error_over_range": _share(errors["competent"], float(np.ptp(competent))),
            "excess_error_over_range": _share(errors["excess"], float(np.ptp(excess))),
        }
        if None in result[str(budget)].values():
            result[str(budget)]["reason"] = (
                "no sample has a phi-bar, or all benchmarks have the same coordinate"
            )
    return result


def _share(error: float, span: float) -> float | None:
    return error / span if span > 0 else None
