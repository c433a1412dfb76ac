"""Where one benchmark lies in the plane, pair by pair and member by member: Figures 3(a) and 4, appendices B and C."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.combiners.dawid_skene import DEFAULT, PUBLISHED, Setting
from analysis.estimators.admissibility import DECLARED, admissibility
from analysis.estimators.regime.agreement import agreement
from analysis.estimators.regime.coordinates import coordinates
from analysis.estimators.regime.label_free import apparent_competence
from analysis.panel.votes import VoteMatrix
from analysis.skip import Skip
from analysis.steps.context import BenchmarkContext
from analysis.values import plain

SCOPE = "benchmark"
READS: tuple[str, ...] = ()


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """Coordinates, call, phi matrix (members in roster order), agreement identity, competence without gold."""
    panel = context.votes
    if panel.n_members < 2:
        raise Skip("a panel of one member has no pair to correlate")
    order = context.roster
    members = [panel.members[column] for column in order]
    votes = panel.votes[:, order]
    call = admissibility(votes, panel.gold)
    point = coordinates(votes, panel.gold)
    return {
        "n_items": panel.n_items,
        "n_clusters": panel.n_clusters,
        "members": members,
        "thresholds": {"kappa": DECLARED.kappa, "share": DECLARED.share, "phi": DECLARED.phi},
        "phi_bar": call.phi_bar,
        **(
            {}
            if call.phi_bar is not None
            else {"reason": "no pair of members committed on five items together"}
        ),
        "n_eff": call.n_eff,
        "competent": call.competent,
        "required": call.required,
        "admissible": call.admissible,
        "excess": float(point.excess[0]),
        "leader": members[point.leader[0]],
        "kappas": dict(zip(members, map(plain, point.kappas[0]), strict=True)),
        "phi": [[plain(value) for value in row] for row in call.phi],
        "pairs": {"total": call.pairs, "skipped": call.skipped, "constant": call.constant},
        "agreement": _agreement(votes, panel),
        "label_free": {
            name: _label_free(panel, order, setting, members[point.leader[0]])
            for name, setting in (("published", PUBLISHED), ("converged", DEFAULT))
        },
    }


def _agreement(votes: Floats, panel: VoteMatrix) -> dict[str, Any]:
    rates = agreement(votes, panel.gold)
    result: dict[str, Any] = {
        "pairs": rates.pairs,
        "votes": plain(rates.votes),
        "errors": plain(rates.errors),
        "difference": plain(abs(rates.votes - rates.errors)),
    }
    if rates.pairs == 0:
        result["reason"] = "no pair of members committed on five items together"
    return result


def _label_free(panel: VoteMatrix, order: list[int], setting: Setting, leader: str) -> dict[str, Any]:
    """Competence against the Dawid-Skene labels; the leader's ties go by the roster."""
    apparent = apparent_competence(panel.votes, setting)
    scored = np.nan_to_num(apparent.kappas, nan=0.0)
    best = panel.members[max(order, key=lambda column: float(scored[column]))]
    return {
        "competent": apparent.competent,
        "leader": best,
        "leader_is_the_gold_leader": best == leader,
        "kappas": {panel.members[column]: plain(apparent.kappas[column]) for column in order},
        "iterations": apparent.fit.iterations,
        "converged": apparent.fit.converged,
    }
