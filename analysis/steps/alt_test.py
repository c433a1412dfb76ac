"""The alternative annotator test on one benchmark: the panel against its members, by gold and by the frontier judge."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.alt_test.members import against_members
from analysis.estimators.combine import combine
from analysis.panel.votes import require_analysable
from analysis.statistics.folds import N_FOLDS
from analysis.steps.context import BenchmarkContext

SCOPE = "benchmark"
READS: tuple[str, ...] = ()
#: Combinations that are judges, of those that ``combine`` makes.
METHODS = ("stacked", "unweighted", "dawid_skene", "accuracy_weighted")


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """``gold``: methods, comparators and each member against (the other) members; ``frontier``: methods and members."""
    panel = context.votes
    require_analysable(panel, N_FOLDS)
    predictions = combine(panel).predictions
    methods = {name: predictions[name] for name in METHODS}
    comparators = {
        name: votes for role in ("frontier", "larger") for name, votes in context.with_role(role).items()
    }
    frontier = context.with_role("frontier")
    return {
        "methods": list(METHODS),
        "comparators": list(comparators),
        "gold": against_members(panel, {**methods, **comparators}, panel.gold.astype(np.float64)),
        "frontier": {name: against_members(panel, methods, votes) for name, votes in frontier.items()},
    }
