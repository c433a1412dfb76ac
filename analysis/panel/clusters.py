"""From drawn clusters to their items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Ints


@dataclass(frozen=True)
class ClusterItems:
    """The items of each cluster, one after the other. Build it with :func:`cluster_items`.

    Attributes
    ----------
    items : (n,) item positions, cluster by cluster
    starts : (C,) where each cluster's items begin in ``items``
    sizes : (C,) items of each cluster
    """

    items: Ints
    starts: Ints
    sizes: Ints

    def of(self, chosen: Ints) -> tuple[Ints, Ints]:
        """Items of samples of clusters (S, b): (m,) sample of each item, ascending, and (m,) its position."""
        sizes = self.sizes[chosen].ravel()
        sample = np.repeat(np.repeat(np.arange(len(chosen)), chosen.shape[1]), sizes)
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return sample, self.items[np.repeat(self.starts[chosen].ravel(), sizes) + within]


def cluster_items(cluster: Ints) -> ClusterItems:
    """Index the items by their cluster codes (n,), 0..C-1, each in use."""
    sizes = np.bincount(cluster)
    return ClusterItems(np.argsort(cluster, kind="stable"), np.cumsum(sizes) - sizes, sizes)
