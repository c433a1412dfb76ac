"""Sums over clusters, which both cluster-robust tests are made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.alt_test.significance.base import FEW_CLUSTERS
from analysis.arrays import Floats, Ints


@dataclass(frozen=True)
class ClusterSums:
    """Weighted sums of d by cluster: (C,) ``d``, ``weight``; C clusters that have an item."""

    d: Floats
    weight: Floats

    @property
    def n(self) -> int:
        """Number of clusters."""
        return len(self.d)

    @property
    def flags(self) -> tuple[str, ...]:
        """What a reader should know about the number of clusters."""
        return (FEW_CLUSTERS,) if self.n < 30 else ()


def cluster_sums(d: Floats, clusters: Ints, weights: Floats | None) -> ClusterSums:
    """Sums over the clusters that occur; ``clusters`` are (n,) codes, ``weights`` (n,) or None for ones."""
    present, code = np.unique(clusters, return_inverse=True)
    weight = np.ones_like(d) if weights is None else weights
    sums: Floats = np.bincount(code, weights=weight * d, minlength=len(present)).astype(np.float64)
    totals: Floats = np.bincount(code, weights=weight, minlength=len(present)).astype(np.float64)
    return ClusterSums(sums, totals)
