"""Paired cluster bootstrap: one set of draws for every method and difference of a benchmark."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analysis.arrays import Floats
from analysis.metrics.confusion import Confusion

#: Resamples of the paper (section 2).
N_DRAWS = 2000
#: Cluster draws held at a time: they stay in the cache (measured: twice as fast as 2**23), and bound the
#: memory.
_BLOCK = 2**18
#: Draws held at a time at least, so that a product over very many clusters reads their counts less often.
_MIN_DRAWS = 8


def cluster_weights(n_clusters: int, n_draws: int = N_DRAWS, seed: int = 0) -> Iterator[Floats]:
    """How often each draw takes each cluster, as (b, n_clusters) blocks of consecutive draws.

    The draws are ``default_rng(seed).integers(0, n_clusters, size=(n_draws, n_clusters))`` over the clusters
    in ascending order, whatever the block size: the generator's stream does not depend on how it is cut.
    """
    rng = np.random.default_rng(seed)
    step = min(n_draws, max(_MIN_DRAWS, _BLOCK // n_clusters))
    offsets = np.arange(step, dtype=np.int64)[:, None] * n_clusters
    for start in range(0, n_draws, step):
        size = min(step, n_draws - start)
        taken = rng.integers(0, n_clusters, size=(size, n_clusters))
        taken += offsets[:size]
        weights = np.bincount(taken.ravel(), minlength=size * n_clusters)
        yield weights.reshape(size, n_clusters).astype(np.float64)


def resample(counts: Confusion, n_draws: int = N_DRAWS, seed: int = 0) -> Confusion:
    """Confusion counts of every draw.

    Parameters
    ----------
    counts : per cluster and method, fields (n_clusters, m), class totals (n_clusters, 1)

    Returns
    -------
    Fields (n_draws, m), class totals (n_draws, 1). A draw's counts are the multiplicities of its clusters
    times the clusters' counts: one matrix product, exact because all of it is whole numbers.
    """
    fields = counts.fields()
    stacked = np.hstack(fields)
    drawn = np.vstack([weights @ stacked for weights in cluster_weights(len(stacked), n_draws, seed)])
    edges = np.cumsum([field.shape[1] for field in fields])[:-1]
    return Confusion(*np.split(drawn, edges, axis=1))
