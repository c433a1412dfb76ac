"""Simulated panels to time the estimators on."""

from __future__ import annotations

import numpy as np

from analysis.panel.votes import VoteMatrix


def panel(n_items: int, n_clusters: int, n_members: int) -> VoteMatrix:
    """Members whose errors share a component of each item, 3% of their votes missing.

    Built without :func:`analysis.panel.votes.vote_matrix`, whose checks of two million ids would be timed with it.
    """
    rng = np.random.default_rng(0)
    gold = rng.permutation(n_items) % 2
    cluster = np.concatenate([np.arange(n_clusters), rng.integers(0, n_clusters, n_items - n_clusters)])
    shared = 0.8 * rng.normal(size=n_items)
    votes = np.empty((n_items, n_members))
    for member, skill in enumerate(rng.uniform(0.0, 1.2, n_members)):
        right = skill + shared + rng.normal(size=n_items) > 0
        votes[:, member] = np.where(right, gold, 1 - gold)
        votes[rng.random(n_items) < 0.03, member] = np.nan
    return VoteMatrix(
        members=tuple(f"judge-{member:03}" for member in range(n_members)),
        uids=tuple(map(str, range(n_items))),
        clusters=tuple(map(str, range(n_clusters))),
        cluster=cluster,
        gold=gold,
        votes=votes,
    )
