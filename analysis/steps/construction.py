"""Items, clusters and class balance of a benchmark as its records have them: Tables 14 and 18."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.steps.context import BenchmarkContext

SCOPE = "benchmark"
READS: tuple[str, ...] = ()


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """Counts of items by class, of clusters by size, and of clusters with one item of either class."""
    panel = context.votes
    sizes = np.bincount(panel.cluster)
    hallucinated = np.bincount(panel.cluster, weights=panel.gold).astype(np.int64)
    size, clusters = np.unique(sizes, return_counts=True)
    return {
        "n_items": panel.n_items,
        "supported": int((panel.gold == 0).sum()),
        "hallucinated": int(panel.gold.sum()),
        "n_clusters": panel.n_clusters,
        "clusters_by_size": {str(s): int(n) for s, n in zip(size, clusters, strict=True)},
        "smallest_cluster": int(sizes.min()),
        "largest_cluster": int(sizes.max()),
        "matched_pairs": int(((sizes == 2) & (hallucinated == 1)).sum()),
    }
