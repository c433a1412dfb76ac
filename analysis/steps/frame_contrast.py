"""Frame contrast: Table 11."""

from __future__ import annotations

from typing import Any

from analysis.estimators.frame_contrast import frame_contrast
from analysis.skip import Skip
from analysis.steps.context import BenchmarkContext

SCOPE = "benchmark"
READS: tuple[str, ...] = ()


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """The members and comparators that have a second arm, under the question-answering frame and under their own."""
    panel, members = context.panel, context.suite.members
    own = {name: panel.votes.votes[:, column] for column, name in enumerate(panel.votes.members)}
    own |= panel.comparators
    arms = {
        members[name].arm_of: (second, own[members[name].arm_of])
        for name, second in context.with_role("def_on").items()
        if members[name].arm_of in own
    }
    in_panel = [name for name in panel.votes.members if name in arms]
    if not in_panel:
        raise Skip("no member was asked a second time under the question-answering frame (def_on)")
    return frame_contrast(arms, in_panel, panel.votes.gold, panel.votes.cluster)
