"""Cross-fit folds over clusters."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Ints

#: Folds of the paper's cross-fit (section 2).
N_FOLDS = 5


def cluster_folds(n_clusters: int, n_folds: int = N_FOLDS, seed: int = 0) -> Ints:
    """(n_clusters,) fold of each cluster, clusters being numbered in ascending order of their ids.

    The cluster at position p of ``default_rng(seed).permutation(n_clusters)`` is in fold ``p % n_folds``, so
    fold sizes differ by at most one cluster.
    """
    folds = np.empty(n_clusters, dtype=np.int64)
    folds[np.random.default_rng(seed).permutation(n_clusters)] = np.arange(n_clusters) % n_folds
    return folds


def training_clusters(folds: Ints, n_folds: int = N_FOLDS) -> Ints:
    """(n_folds,) training clusters of each fold; the smallest is the ``train`` column of Table 7."""
    return len(folds) - np.bincount(folds, minlength=n_folds)
