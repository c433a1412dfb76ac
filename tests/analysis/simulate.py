"""Small simulated panels for tests, seeded."""

from __future__ import annotations

import numpy as np

from analysis.panel.votes import VoteMatrix, vote_matrix


def simulate(
    seed: int,
    *,
    n_items: int = 240,
    n_clusters: int = 90,
    n_members: int = 6,
    missing: float = 0.06,
    prevalence: float = 0.5,
) -> VoteMatrix:
    """Members of differing skill whose errors share a component of each item; some abstain more than others."""
    rng = np.random.default_rng(seed)
    gold = (rng.random(n_items) < prevalence).astype(int)
    cluster = np.concatenate([np.arange(n_clusters), rng.integers(0, n_clusters, n_items - n_clusters)])
    difficulty = rng.normal(size=(n_items, 1))
    skill = rng.uniform(-0.2, 1.4, n_members)
    right = skill + 0.8 * difficulty + rng.normal(size=(n_items, n_members)) > 0
    votes = np.where(right, gold[:, None], 1 - gold[:, None]).astype(float)
    votes[rng.random(votes.shape) < missing * rng.uniform(0, 2, n_members)] = np.nan
    return vote_matrix(
        [f"judge-{j}" for j in range(n_members)],
        [f"item-{i}" for i in range(n_items)],
        [int(c) for c in cluster],
        gold,
        votes,
    )
