"""F1 of the hallucinated class where published results report it: Table 9."""

from __future__ import annotations

from typing import Any

from analysis.combiners.stacked import stacked
from analysis.combiners.unweighted import unweighted
from analysis.estimators.external_f1 import external_f1
from analysis.panel.votes import require_analysable
from analysis.published import read_published
from analysis.skip import Skip
from analysis.statistics.folds import N_FOLDS, cluster_folds
from analysis.steps.context import BenchmarkContext

SCOPE = "benchmark"
READS: tuple[str, ...] = ()


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """The panel, its members and the frontier judges, also at the published slice's prevalence."""
    published = read_published("f1")["benchmarks"].get(context.benchmark)
    if published is None:
        raise Skip("no published result reports F1 of the hallucinated class on this benchmark")
    panel = context.votes
    require_analysable(panel, N_FOLDS)
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    groups = {
        "panel": {
            "stacked": stacked(panel.votes, panel.gold, folds, N_FOLDS).predictions,
            "unweighted": unweighted(panel.votes),
        },
        "members": {panel.members[column]: panel.votes[:, column] for column in context.roster},
        "frontier": context.with_role("frontier"),
    }
    prevalence = published["prevalence"]
    return {
        "prevalence": panel.prevalence,
        "published_prevalence": prevalence,
        **{
            group: external_f1(named, panel.gold, panel.cluster, prevalence) if named else {}
            for group, named in groups.items()
        },
    }
