"""The stacked panel against the frontier judge and each larger open judge: Tables 1 and 13, Figures 3(b) and 9."""

from __future__ import annotations

from typing import Any

from analysis.combiners.stacked import stacked
from analysis.estimators.frontier import against_judge
from analysis.panel.votes import require_analysable
from analysis.skip import Skip
from analysis.statistics.folds import N_FOLDS, cluster_folds
from analysis.steps.context import BenchmarkContext

SCOPE = "benchmark"
READS: tuple[str, ...] = ()
ROLES = ("frontier", "larger")


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """By judge: its role and tag, and its paired difference from the panel."""
    judges = {name: (role, votes) for role in ROLES for name, votes in context.with_role(role).items()}
    if not judges:
        raise Skip("neither a frontier judge nor a larger open judge has judged this benchmark")
    panel = context.votes
    require_analysable(panel, N_FOLDS)
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    predictions = stacked(panel.votes, panel.gold, folds, N_FOLDS).predictions
    return {
        name: {
            "role": role,
            "tag": context.suite.members[name].tag,
            **against_judge(predictions, votes, panel.gold, panel.cluster),
        }
        for name, (role, votes) in judges.items()
    }
