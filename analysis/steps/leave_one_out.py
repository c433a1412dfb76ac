"""The stacker without each member in turn, on one benchmark: Figure 5."""

from __future__ import annotations

from typing import Any

from analysis.estimators.leave_one_out import leave_one_out
from analysis.skip import Skip
from analysis.steps.context import BenchmarkContext
from analysis.values import plain

SCOPE = "benchmark"
READS: tuple[str, ...] = ()


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """Kappa without each member, its paired difference from the full panel's, and how concentrated the costs are."""
    panel = context.votes
    if panel.n_members < 2:
        raise Skip("a panel of one member has none to leave out")
    result = leave_one_out(panel)
    members = [panel.members[column] for column in context.roster]
    without = {
        member: {
            "stacked": result.scores.score(f"stacked:{member}", "kappa"),
            "best_cv": result.scores.score(f"best_cv:{member}", "kappa"),
            "delta": result.scores.delta(f"stacked:{member}", "stacked", "kappa"),
        }
        for member in members
    }
    deltas = {member: entry["delta"]["resample_mean"] for member, entry in without.items()}
    costs = sorted((-delta, member) for member, delta in deltas.items() if delta is not None)[::-1]
    return {
        "stacked": result.scores.score("stacked", "kappa"),
        "best_cv": result.scores.score("best_cv", "kappa"),
        "without": without,
        "costs": [{"member": member, "cost": cost} for cost, member in costs],
        "largest_over_runner_up": costs[0][0] / costs[1][0] if len(costs) > 1 and costs[1][0] > 0 else None,
        "largest_gradient": plain(result.largest_gradient),
    }
