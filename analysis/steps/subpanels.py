"""Sub-panels of one benchmark's members, with their coordinates and scores: appendix C."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.estimators.thresholds.subpanels import MAX_MEMBERS, draw_subpanels, score_subpanels
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.skip import Skip
from analysis.statistics.folds import cluster_folds
from analysis.steps.context import BenchmarkContext
from analysis.values import plain

SCOPE = "benchmark"
READS = ("overview",)
COLUMNS = ("members", "size", "phi_bar", "competent", "stacked", "best_cv")


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """One row a sub-panel, the full panel first; ``members`` are positions in the roster.

    One generator draws for all benchmarks of the suite in the order of the tables, so that a benchmark's draws depend
    on the panel sizes of those before it.
    """
    panel = context.votes
    overview = context.derived.overview
    sizes = {name: len(overview["benchmarks"][name]["members"]) for name in context.derived.benchmarks}
    if max(sizes.values()) > MAX_MEMBERS:
        raise Skip(f"a panel of the suite has more than {MAX_MEMBERS} members")
    if panel.n_members < 3:
        raise Skip("a panel of fewer than three members has no sub-panel")
    drawn = dict(zip(sizes, draw_subpanels(sizes.values()), strict=True))[context.benchmark]
    columns = np.empty_like(drawn)
    columns[:, context.roster] = drawn
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    scored = score_subpanels(panel.votes, panel.gold, folds, columns)
    rows = [
        [" ".join(map(str, np.flatnonzero(members))), int(members.sum()), *values]
        for members, values in zip(
            drawn,
            zip(
                map(plain, scored.phi_bar),
                map(int, scored.competent),
                map(plain, scored.stacked),
                map(plain, scored.best_cv),
                strict=True,
            ),
            strict=True,
        )
    ]
    return {
        "roster": [panel.members[column] for column in context.roster],
        "frontier": _frontier(context),
        "largest_gradient": plain(scored.largest_gradient),
        "columns": list(COLUMNS),
        "rows": rows,
    }


def _frontier(context: BenchmarkContext) -> dict[str, Any] | None:
    """The first frontier judge of the roster, scored on every item it committed on."""
    for name, votes in context.with_role("frontier").items():
        value: Floats = kappa(confusion(votes[:, None], context.votes.gold))
        return {"judge": name, "kappa": plain(value[0])}
    return None
