from __future__ import annotations

import numpy as np

from analysis.panel.clusters import cluster_items


def test_items_of_drawn_clusters():
    rng = np.random.default_rng(0)
    cluster = np.concatenate([np.arange(20), rng.integers(0, 20, 60)])
    chosen = np.array([rng.choice(20, 6, replace=False) for _ in range(9)])
    sample, item = cluster_items(cluster).of(chosen)
    assert (np.diff(sample) >= 0).all()
    for s, clusters in enumerate(chosen):
        expected = np.flatnonzero(np.isin(cluster, clusters))
        np.testing.assert_array_equal(np.sort(item[sample == s]), expected)
