"""A suite's panel as one more judge: does it represent the truth, or the frontier judge, better than a member does?

The members are the annotators, and each method that combines them is a judge. Scores are taken against gold (D.5),
and against the frontier judge as the single expert whose verdicts are dear (D.2), both with epsilon 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from analysis.alt_test.decision import decide_judges
from analysis.alt_test.evidence import gather_evidence
from analysis.alt_test.labels import ABSTAINED
from analysis.alt_test.procedure import DEFAULT_Q
from analysis.alt_test.results import Evidence, JudgeResult
from analysis.alt_test.setup import Setup
from analysis.arrays import Floats
from analysis.panel.votes import VoteMatrix


def verdict_labels(uids: tuple[str, ...], votes: Floats) -> dict[Hashable, object]:
    """``{item: 1, 0 or ABSTAINED}`` of (n,) votes, in which NaN is an abstention."""
    return {uid: ABSTAINED if np.isnan(vote) else int(vote) for uid, vote in zip(uids, votes, strict=True)}


def against_members(
    panel: VoteMatrix, judges: Mapping[str, Floats], reference: Floats, min_items: int = 30
) -> dict[str, dict[str, Any]]:
    """Each judge, and each member against the other members, by the alternative annotator test.

    Parameters
    ----------
    panel : the members' votes
    judges : (n,) verdicts of methods and comparators, by name; NaN = abstained, which loses the item
    reference : (n,) gold, or the expert's verdicts; items where it is NaN are left out
    min_items : fewest items for a test

    Returns
    -------
    By judge: ``winning_rate`` (share of the members it represents the reference better than),
    ``advantage_probability``, ``passes``, the same ``cluster_robust`` (t-test on cluster sums), and by member ``n``,
    ``advantage``, ``member_advantage``, ``p_value``, ``rejected``.
    """
    members = {
        name: verdict_labels(panel.uids, votes)
        for name, votes in zip(panel.members, panel.votes.T, strict=True)
    }
    known = {uid: int(value) for uid, value in zip(panel.uids, reference, strict=True) if not np.isnan(value)}
    cluster: dict[Hashable, Hashable] = dict(zip(panel.uids, panel.cluster.tolist(), strict=True))
    setup = Setup(
        epsilon=0.0, reference=known, clusters=cluster, robust="t", min_items_per_annotator=min_items
    )
    if not known:
        return {name: _undefined("the reference labels no item") for name in (*judges, *members)}
    labels = {name: verdict_labels(panel.uids, votes) for name, votes in judges.items()}
    found = gather_evidence(members, labels, setup) if labels else None
    out = (
        {} if found is None else {name: _plain(decide_judges([found], name, DEFAULT_Q)[0]) for name in labels}
    )
    among = gather_evidence(members, members, setup)
    for name in members:
        decided = decide_judges([_without_itself(among, name)], name, DEFAULT_Q)[0]
        out[name] = _plain(decided)
    return out


def _without_itself(evidence: Evidence, member: str) -> Evidence:
    """The member's evidence as a judge without its comparison with itself, which is a tie on every item."""
    part = evidence.judges[member]
    others = tuple(one for one in part.annotators if one.annotator != member)
    return replace(evidence, judges={member: replace(part, annotators=others)})


def _undefined(reason: str) -> dict[str, Any]:
    return {
        "winning_rate": None,
        "advantage_probability": None,
        "passes": None,
        "reason": reason,
        "cluster_robust": None,
        "members": {},
    }


def _plain(judge: JudgeResult) -> dict[str, Any]:
    robust = judge.robust
    if robust is None:
        return _undefined(judge.reason or "there is no other member to compare with")
    return {
        "winning_rate": judge.winning_rate,
        "advantage_probability": judge.advantage_probability,
        "passes": judge.passes,
        "reason": judge.reason,
        "cluster_robust": {"winning_rate": robust.winning_rate, "passes": robust.passes},
        "members": {
            part.annotator: {
                "n": part.n,
                "advantage": part.advantage,
                "member_advantage": part.human_advantage,
                "p_value": part.plain.p_value,
                "rejected": judge.plain.rejected[part.annotator],
                "p_value_robust": None if part.robust is None else part.robust.p_value,
                "rejected_robust": robust.rejected[part.annotator],
            }
            for part in judge.evidence.annotators
        },
    }
