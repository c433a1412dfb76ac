"""Train, validation and test splits by cluster, for datasets that come without their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.arrays import Ints
from analysis.judgemoe.cell import SPLITS
from raim.errors import InputError

#: Shares of items in train, validation and test, and the seed of the order of clusters. The paper keeps the splits of
#: its datasets and does not say how it made the others; these are ours.
FRACTIONS = (0.6, 0.2, 0.2)
SEED = 13


def split_by_cluster(
    clusters: Ints, *, seed: int = SEED, fractions: tuple[float, float, float] = FRACTIONS
) -> Ints:
    """(n,) split codes; a cluster is in one split whole.

    Clusters in seeded order are cut where their items, counted to the middle of a cluster, pass the fractions. Each
    split gets at least one cluster. Raises InputError for fewer than three clusters.
    """
    codes, inverse, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    if len(codes) < len(SPLITS):
        raise InputError(
            f"splits need at least 3 clusters, there are {len(codes)}; give splits or finer clusters"
        )
    order = np.random.default_rng(seed).permutation(len(codes))
    middles = (np.cumsum(sizes[order]) - sizes[order] / 2.0) / len(clusters)
    cuts = np.searchsorted(middles, np.cumsum(fractions[:2]))
    first = int(np.clip(cuts[0], 1, len(codes) - 2))
    second = int(np.clip(cuts[1], first + 1, len(codes) - 1))
    of_cluster = np.empty(len(codes), dtype=np.int64)
    of_cluster[order] = np.repeat(np.arange(3), [first, second - first, len(codes) - second])
    split: Ints = of_cluster[inverse]
    return split


def split_codes(names: Sequence[str]) -> Ints:
    """(n,) codes of splits given by name; ``dev`` and ``valid`` of the paper's Table 9 are read as validation.

    Raises InputError on another name.
    """
    codes = {name: code for code, name in enumerate(SPLITS)} | {"dev": 1, "valid": 1}
    unknown = sorted(set(names) - set(codes))
    if unknown:
        raise InputError(
            f"split {unknown[0]!r} is none of {', '.join(SPLITS)}; rename it in the split column"
        )
    return np.array([codes[name] for name in names], dtype=np.int64)


def straddling(clusters: Ints, splits: Ints) -> int:
    """Number of clusters with items in more than one split: 0 for splits made here, reported for given ones."""
    pairs = np.unique(np.stack([clusters, splits], axis=1), axis=0)
    _, splits_of_cluster = np.unique(pairs[:, 0], return_counts=True)
    return int((splits_of_cluster > 1).sum())
