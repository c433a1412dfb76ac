from __future__ import annotations

import numpy as np
import pytest

from analysis.statistics.folds import cluster_folds, training_clusters

# Table 7's `train` column beside Table 18's clusters.
POOLS = {1000: 800, 221: 176, 681: 544, 472: 377, 109: 87, 1360: 1088, 165: 132, 817: 653}


@pytest.mark.parametrize(("n_clusters", "pool"), POOLS.items())
def test_smallest_training_pool_is_the_papers(n_clusters, pool):
    folds = cluster_folds(n_clusters)
    assert training_clusters(folds).min() == pool
    assert training_clusters(folds).tolist() == [n_clusters - np.sum(folds == f) for f in range(5)]


@pytest.mark.parametrize("ids", [np.arange(50, 92), np.array([f"doc-{i:03d}" for i in range(42)])])
def test_the_cluster_at_position_p_of_the_permuted_ids_is_in_fold_p_mod_5(ids):
    order = np.random.default_rng(0).permutation(ids)
    expected = {identity: p % 5 for p, identity in enumerate(order)}
    assert cluster_folds(len(ids)).tolist() == [expected[identity] for identity in ids]


def test_every_fold_has_a_cluster_with_as_many_clusters_as_folds():
    assert sorted(cluster_folds(5)) == [0, 1, 2, 3, 4]
