"""The admissibility test as a family of thresholds, over a suite's sub-panels: appendix C."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.arrays import Bools
from analysis.estimators.thresholds.family import (
    MARGINS,
    by_call,
    correlation_half,
    family,
    grid_summary,
    objective,
    regressions,
)
from analysis.estimators.thresholds.rows import PanelRows
from analysis.skip import Skip
from analysis.statistics.bootstrap import N_DRAWS
from analysis.steps.context import SuiteContext

SCOPE = "suite"
READS = ("overview", "subpanels")


def derive(context: SuiteContext) -> dict[str, Any]:
    """Thresholds chosen by Youden's J, what holds at every pair, and the gain against the call.

    Panels without a defined phi-bar or kappa are left out and counted. Selection and grid read phi-bar and kappas at
    six decimals, as the release does; the regressions and means read them whole.
    """
    found, left_out = context.derived.read_each("subpanels")
    whole = _rows(found)
    scored = ~np.isnan(whole.phi_bar) & ~np.isnan(whole.stacked) & ~np.isnan(whole.best_cv)
    if not np.isin(np.arange(len(found)), whole.benchmark[scored & whole.full]).all():
        raise Skip("a full panel of the suite has no defined phi-bar or kappa")
    whole = whole[scored]
    rows, names = whole.rounded(), tuple(found)
    targets: dict[str, Bools | None] = {
        f"near_frontier_{margin:.2f}": rows.near_frontier(margin) for margin in MARGINS
    }
    if np.isnan(rows.frontier).any():
        targets = dict.fromkeys(targets)
    targets["beats_best_member"] = rows.beats_best_member()
    chosen = (f"near_frontier_{MARGINS[0]:.2f}", "beats_best_member")
    missing = {"reason": "not every benchmark of the suite has a frontier judge with a defined kappa"}
    return {
        "n_panels": len(rows),
        "undefined_panels": int((~scored).sum()),
        "left_out": left_out,
        "frontier": {name: entry["frontier"] for name, entry in found.items()},
        "objectives": {
            name: missing if (target := targets[name]) is None else objective(rows, target, names)
            for name in chosen
        },
        "family": {
            name: missing if target is None else family(rows, target) for name, target in targets.items()
        },
        "grid": grid_summary(rows),
        "correlation_half": correlation_half(rows, names),
        "by_call": by_call(whole, names),
        "regressions": regressions(whole, N_DRAWS),
    }


def _rows(found: Mapping[str, Mapping[str, Any]]) -> PanelRows:
    """All sub-panels, benchmarks coded in their order."""
    rows = [
        (code, position == 0, values, entry["frontier"])
        for code, entry in enumerate(found.values())
        for position, values in enumerate(entry["rows"])
    ]
    columns = next(iter(found.values()))["columns"]
    table = {
        name: np.array([np.nan if values[i] is None else float(values[i]) for _, _, values, _ in rows])
        for i, name in enumerate(columns)
        if name != "members"
    }
    return PanelRows(
        benchmark=np.array([code for code, *_ in rows]),
        full=np.array([full for _, full, *_ in rows]),
        size=table["size"].astype(np.int64),
        competent=table["competent"].astype(np.int64),
        phi_bar=table["phi_bar"],
        stacked=table["stacked"],
        best_cv=table["best_cv"],
        frontier=np.array(
            [np.nan if judge is None or judge["kappa"] is None else judge["kappa"] for *_, judge in rows]
        ),
    )
