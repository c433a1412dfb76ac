"""Clusters and weights of the items that are compared."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np

from analysis.alt_test.annotations import EncodedTest
from analysis.alt_test.comparison import Comparison
from analysis.alt_test.setup import Clusters
from analysis.alt_test.weighting import Weighting
from analysis.arrays import Floats, Ints
from raim.errors import InputError


def cluster_codes(items: tuple[Hashable, ...], clusters: Clusters) -> Ints:
    """(n,) code of each item's cluster. Raises InputError where an item has none."""
    codes: dict[Hashable, int] = {}
    out = np.empty(len(items), dtype=np.int64)
    for row, item in enumerate(items):
        try:
            cluster = clusters[item] if isinstance(clusters, Mapping) else clusters(item)
        except KeyError:
            raise InputError(f"item {item!r} has no cluster; give the cluster of every item") from None
        out[row] = codes.setdefault(cluster, len(codes))
    return out


def item_weights(comparison: Comparison, test: EncodedTest, weighting: Weighting | None) -> Floats | None:
    """(n,) weights of the compared items, None where all weigh the same."""
    if weighting is None:
        return None
    if test.reference is None:
        codes, counted = test.humans.remaining(comparison.annotator, comparison.rows)
    else:
        codes = test.reference[comparison.rows][:, None]
        counted = np.ones_like(codes, dtype=bool)
    return weighting.weights(codes, counted, test.humans.vocabulary)
