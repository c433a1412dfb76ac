"""Single judges outside the panel, each on its own: Tables 2, 8 and 12."""

from __future__ import annotations

from typing import Any

from analysis.estimators.judges import score_judges
from analysis.skip import Skip
from analysis.steps.context import BenchmarkContext

SCOPE = "benchmark"
READS: tuple[str, ...] = ()
ROLES = ("frontier", "larger", "purpose_trained")


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """Scores of the frontier, larger and purpose-trained judges, by name, with their role."""
    verdicts = {name: votes for role in ROLES for name, votes in context.with_role(role).items()}
    if not verdicts:
        raise Skip("the suite has no single judge outside the panel on this benchmark")
    scores = score_judges(verdicts, context.votes.gold, context.votes.cluster)
    return {
        name: {"role": context.suite.members[name].role, "tag": context.suite.members[name].tag, **entry}
        for name, entry in scores.items()
    }
