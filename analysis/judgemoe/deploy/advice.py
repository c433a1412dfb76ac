"""What ``raim pool`` recommends, and why (paper, Tables 4, 21 and 24)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.judgemoe.cell import Cell
from analysis.judgemoe.deploy.methods import Method, sparse_judges
from analysis.judgemoe.deploy.out_of_fold import Scored
from analysis.judgemoe.metrics.residuals import mean_residual_correlation
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.selectors.decision import Decision, decide, family_leads
from analysis.judgemoe.selectors.leave_one_out import leave_one_out
from analysis.judgemoe.selectors.rule import FAMILIES, Family, Signals
from analysis.judgemoe.selectors.singles import best_single
from analysis.judgemoe.statistics.clusters import interval
from raim.errors import InputError


def advise(cell: Cell, scored: Scored) -> Decision:
    """The thresholded rule: signals of the pool on the cell's items, families by their held-out scores.

    Raises InputError where no method has a defined score.
    """
    predictions, draws = scored.predictions, scored.draws
    single: Method = "soft_best_single" if "soft_best_single" in predictions else "hard_best_single"
    out = {name: spearman(values, scored.cell.targets) for name, values in predictions.items()}
    if not np.isfinite(list(out.values())).any():
        raise InputError(
            f"{cell.name}: no method has a defined Spearman on the {len(scored.cell.items)} held-out items: "
            "predictions or targets are constant there; give more items, or judges whose scores vary"
        )
    nan = float("nan")
    pools: tuple[Method, ...] = ("uniform_log", "cov_log")
    fixed = max(pools, key=lambda name: np.nan_to_num(out.get(name, nan), nan=-np.inf))
    methods: dict[Family, Method] = {
        "single": single,
        "fixed": fixed,
        "full": "judgemoe",
        "sparse": "judgemoe_sparse",
    }
    scores = {family: out.get(methods[family], nan) for family in FAMILIES}
    leads = family_leads({f: draws[name]["spearman"] for f, name in methods.items() if name in draws})
    signals = Signals(leave_one_out(cell).gain, mean_residual_correlation(cell), scores)
    judge = best_single(cell, "soft" if single == "soft_best_single" else "hard")
    decision = decide(signals, single=judge, fixed=fixed, sparse=_sparse_judges(cell), leads=leads)
    if len(cell.judges) == 1:
        reason = "the file has one judge: there is nothing to pool"
        decision = Decision("single", single, (judge,), reason, decision.signals)
    method = methods[decision.choice]
    if decision.choice == "single":
        decision = replace(decision, method=single)
    bounds = interval(draws[method]["spearman"])
    if bounds.low > 0.0:
        return decision
    caution = (
        f"{decision.reason}. Its Spearman is not clearly above 0 (95% interval {bounds.low:.3f} to {bounds.high:.3f}): "
        "check that these judges can do the task before you use any of the methods"
    )
    return replace(decision, reason=caution)


def _sparse_judges(cell: Cell) -> tuple[str, ...]:
    """Judges of the best subset; none where subsets cannot be searched or compared."""
    try:
        return sparse_judges(cell)
    except InputError:
        return ()


def method_of(decision: Decision) -> Method:
    """The method to fit for a decision."""
    if decision.choice == "sparse":
        return "judgemoe_sparse"
    return decision.method  # type: ignore[return-value]
