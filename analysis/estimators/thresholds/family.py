"""The threshold family over a suite, as plain values: what is chosen, what holds at every pair (appendix C)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from analysis.arrays import Bools, Floats
from analysis.estimators.admissibility import DECLARED
from analysis.estimators.thresholds.fixed_effects import FixedEffects, fixed_effects
from analysis.estimators.thresholds.rows import BARS, SHARES, PanelRows, youden
from analysis.estimators.thresholds.selection import HeldOut, Selected, direction, hold_out, runs, select
from analysis.statistics.intervals import Interval
from analysis.values import plain

#: Margins in kappa within which a panel stands in for the frontier judge; the first is the one selected on.
MARGINS = (0.10, 0.05, 0.15)
_ONE_CLASS = "every panel meets the target, or none does"


def objective(rows: PanelRows, target: Bools, names: Sequence[str]) -> dict[str, Any]:
    """Youden's J of the declared pair and of the best ones, and selection on all benchmarks but one.

    Parameters
    ----------
    rows : (m,) panels at the precision of the selection
    target : (m,) the panels that meet the target
    names : benchmarks by their code in ``rows``
    """
    whole = rows[rows.full]
    declared = dict(zip(names, map(bool, whole.declared()), strict=True))
    selected = select(rows, target)
    result: dict[str, Any] = {
        "n_panels": len(rows),
        "share_meeting_the_target": float(target.mean()),
        "j_declared": plain(youden(rows.declared(), target)),
        "j_best": None if selected is None else selected.best,
    }
    if selected is None:
        return {**result, "reason": _ONE_CLASS}
    called = whole.grid()[selected.maximisers]
    lowest = {run.share: run.phi_from for run in reversed(runs(selected.maximisers))}
    held_out = {name: hold_out(rows, target, code) for code, name in enumerate(names)}
    return {
        **result,
        **_pairs(selected),
        "full_calls_at_the_maximisers": {
            name: sorted({bool(call) for call in called[:, code]}) for code, name in enumerate(names)
        },
        "full_calls_that_differ": [
            name for code, name in enumerate(names) if (called[:, code] != declared[name]).any()
        ],
        # How flat J is above the lowest maximising bar: no panel above it, no change.
        "competent_panels_above_the_lowest_bar": {
            str(share): int((rows.passes_count(share) & (rows.phi_bar > bar)).sum())
            for share, bar in lowest.items()
        },
        "held_out": {name: _held_out(found) for name, found in held_out.items()},
        "held_out_calls_that_match": sum(found.matches is True for found in held_out.values()),
    }


def _pairs(selected: Selected) -> dict[str, Any]:
    declared = SHARES.index(DECLARED.share), BARS.index(DECLARED.phi)
    return {
        "maximisers": [asdict(run) for run in runs(selected.maximisers)],
        "plateau": [asdict(run) for run in runs(selected.plateau)],
        "declared_in_plateau": bool(selected.plateau[declared]),
    }


def _held_out(found: HeldOut) -> dict[str, Any]:
    if found.selected is None:
        return {"j_best": None, "matches": None, "reason": f"on the other benchmarks, {_ONE_CLASS}"}
    return {
        "j_best": found.selected.best,
        **_pairs(found.selected),
        "calls": list(found.calls),
        "matches": found.matches,
    }


def family(rows: PanelRows, target: Bools) -> dict[str, Any]:
    """Whether J > 0 at every pair that splits the panels, on all panels and on the full ones."""
    grid = rows.grid()
    return {
        "subpanels": _direction(grid, target),
        "full_panels": _direction(grid[..., rows.full], target[rows.full]),
    }


def _direction(grid: Bools, target: Bools) -> dict[str, Any]:
    points, positive, least = direction(grid, target)
    result: dict[str, Any] = {"pairs": points, "share_positive": plain(positive), "j_least": plain(least)}
    if np.isnan(positive):
        result["reason"] = "no pair splits the panels" if points == 0 else _ONE_CLASS
    return result


def grid_summary(rows: PanelRows) -> dict[str, Any]:
    """How many pairs admit no panel or every panel, and which admit none."""

    def of(calls: Bools) -> dict[str, Any]:
        none: Bools = np.asarray(~calls.any(axis=-1))
        every = calls.all(axis=-1)
        return {
            "admit_none": int(none.sum()),
            "admit_all": int(every.sum()),
            "admitting_none": [asdict(run) for run in runs(none)],
        }

    calls = rows.grid()
    return {
        "shares": list(SHARES),
        "phi_from": BARS[0],
        "phi_to": BARS[-1],
        "pairs": len(SHARES) * len(BARS),
        "subpanels": of(calls),
        "full_panels": of(calls[..., rows.full]),
    }


def correlation_half(rows: PanelRows, names: Sequence[str]) -> dict[str, Any]:
    """Among panels with enough competent members, the gain over the best member below and above the bar."""
    competent, above = rows.passes_count(DECLARED.share), rows.phi_bar > DECLARED.phi
    gain = rows.stacked - rows.best_cv
    per_benchmark = {}
    for code, name in enumerate(names):
        mine = competent & (rows.benchmark == code)
        if mine.any():
            per_benchmark[name] = {
                "below": int((mine & ~above).sum()),
                "above": int((mine & above).sum()),
                "gain_below": _mean(gain, mine & ~above),
                "gain_above": _mean(gain, mine & above),
            }
    return {
        "competent_panels": int(competent.sum()),
        "above_the_bar": int((competent & above).sum()),
        "benchmarks": per_benchmark,
    }


def by_call(rows: PanelRows, names: Sequence[str]) -> dict[str, Any]:
    """Gains over the best member and distances from the frontier judge, admitted against rejected."""
    admitted = rows.declared()
    benchmarks = {name: rows.benchmark == code for code, name in enumerate(names)}
    return {
        "pooled": _contrast(rows, admitted, np.ones(len(rows), dtype=np.bool_)),
        "benchmarks": {name: _contrast(rows, admitted, mine) for name, mine in benchmarks.items()},
    }


def _contrast(rows: PanelRows, admitted: Bools, mine: Bools) -> dict[str, Any]:
    gain, behind = rows.stacked - rows.best_cv, rows.stacked - rows.frontier
    result: dict[str, Any] = {}
    for name, side in (("admitted", mine & admitted), ("rejected", mine & ~admitted)):
        scored = side & ~np.isnan(behind)
        result[name] = {
            "panels": int(side.sum()),
            "gain": _mean(gain, side),
            "share_with_gain": _mean((gain > 0).astype(np.float64), side),
            "frontier_difference": _mean(behind, scored),
            "share_far_behind_the_frontier": _mean((behind < -MARGINS[0]).astype(np.float64), scored),
        }
    return result


def regressions(rows: PanelRows, n_draws: int) -> dict[str, Any]:
    """Gain over the best member on the call, and on competent share and phi-bar, with an effect a benchmark.

    One generator, ``default_rng(0)``, draws benchmarks for the first regression and then for the second.
    """
    gain = rows.stacked - rows.best_cv
    rng = np.random.default_rng(0)
    call = rows.declared().astype(np.float64)[:, None]
    continuous = np.column_stack([rows.competent / rows.size, rows.phi_bar])
    return {
        "n_draws": n_draws,
        "call": _fit(fixed_effects(gain, call, rows.benchmark, rng, n_draws), ("admissible",)),
        "continuous": _fit(
            fixed_effects(gain, continuous, rows.benchmark, rng, n_draws), ("competent_share", "phi_bar")
        ),
    }


def _fit(found: FixedEffects, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        name: _coefficient(float(value), summary)
        for name, value, summary in zip(names, found.coefficients, found.intervals, strict=True)
    }


def _coefficient(value: float, summary: Interval) -> dict[str, Any]:
    result = {"coefficient": plain(value), **asdict(summary)}
    if np.isnan(value):
        result["reason"] = "no benchmark has panels on both sides"
    return result


def _mean(values: Floats, where: Bools) -> float | None:
    return float(values[where].mean()) if where.any() else None
