"""The panel from one member to all on one benchmark: Figure 6(a)."""

from __future__ import annotations

from typing import Any

from analysis.estimators.panel_size import panel_size
from analysis.steps.context import BenchmarkContext
from analysis.values import plain

SCOPE = "benchmark"
READS: tuple[str, ...] = ()


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """Scores at every size, members joining in a greedy decorrelating order."""
    panel = context.votes
    result = panel_size(panel, context.roster)
    return {
        "order": [panel.members[column] for column in result.order],
        "sizes": [
            {
                "size": size,
                "stacked": result.scores.score(f"stacked:{size}", "kappa"),
                "unweighted": result.scores.score(f"unweighted:{size}", "kappa"),
                "mean_phi": plain(result.mean_phi[size - 1]),
                "max_phi": plain(result.max_phi[size - 1]),
            }
            for size in range(1, panel.n_members + 1)
        ],
    }
