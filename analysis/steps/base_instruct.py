"""Base-versus-instruct probe: Figure 7."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.estimators.twins import Twins, base_instruct
from analysis.skip import Skip
from analysis.steps.context import BenchmarkContext

SCOPE = "benchmark"
READS: tuple[str, ...] = ()


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """Error correlation among base checkpoints and among their instruction-tuned twins, on the items asked of all."""
    return base_instruct(matched(context))


def matched(context: BenchmarkContext) -> Twins:
    """The comparators of the two probe roles that have a twin, by tag. Raises Skip where there are not two pairs."""
    arms = {
        role: {context.suite.members[name].tag: votes for name, votes in context.with_role(role).items()}
        for role in ("probe_base", "probe_instruct")
    }
    tags = tuple(sorted(set(arms["probe_base"]) & set(arms["probe_instruct"])))
    if len(tags) < 2:
        raise Skip("the suite has no two checkpoints judged before and after instruction tuning")
    base, instruct = (np.column_stack([arm[tag] for tag in tags]) for arm in arms.values())
    asked = ~(np.isinf(base) | np.isinf(instruct)).any(axis=1)
    if not asked.any():
        raise Skip("no item was asked of all base checkpoints and all their twins")
    votes = context.votes
    _, cluster = np.unique(votes.cluster[asked], return_inverse=True)
    return Twins(tags, base[asked], instruct[asked], votes.gold[asked], cluster)
