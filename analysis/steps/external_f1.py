"""F1 of the hallucinated class where published results report it: Table 9."""

from __future__ import annotations

from typing import Any

from analysis.combiners.stacked import stacked
from analysis.combiners.unweighted import unweighted
from analysis.external_f1 import external_f1
from analysis.folds import N_FOLDS, cluster_folds
from analysis.skip import Skip
from analysis.steps.context import BenchmarkContext
from analysis.votes import require_analysable

SCOPE = "benchmark"
READS: tuple[str, ...] = ()
#: Share of hallucinated items in the published slice: MedHallu's pairs, and 160 of RAGTruth's 900 QA test responses.
PUBLISHED_PREVALENCE = {"medhallu": 0.5, "ragtruth": 160 / 900}


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """The panel, its members and the frontier judges, also at the published slice's prevalence."""
    if context.benchmark not in PUBLISHED_PREVALENCE:
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
    prevalence = PUBLISHED_PREVALENCE[context.benchmark]
    return {
        "prevalence": panel.prevalence,
        "published_prevalence": prevalence,
        **{
            group: external_f1(named, panel.gold, panel.cluster, prevalence) if named else {}
            for group, named in groups.items()
        },
    }
