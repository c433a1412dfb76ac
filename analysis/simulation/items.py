"""Items of a simulated benchmark: ids, clusters and gold labels, without any text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.simulation.correlation import symmetric_root


@dataclass(frozen=True)
class Items:
    """Items in file order.

    Attributes
    ----------
    uids : ``<row>:pos`` (gold 0) and ``<row>:neg`` (gold 1), as the release numbers items
    cluster : (n,) 0, 1, ... by first appearance
    gold : (n,) 1 = hallucinated
    """

    uids: tuple[str, ...]
    cluster: Ints
    gold: Ints

    @property
    def class_sizes(self) -> tuple[int, int]:
        """Items of gold 0 and of gold 1."""
        return len(self.gold) - int(self.gold.sum()), int(self.gold.sum())


def matched_pairs(n_clusters: int) -> Items:
    """One supported and one hallucinated item a cluster."""
    uids = tuple(f"{row}:{kind}" for row in range(n_clusters) for kind in ("pos", "neg"))
    return Items(uids, np.repeat(np.arange(n_clusters), 2), np.tile([0, 1], n_clusters))


def pooled_claims(compositions: Sequence[tuple[int, int, int]], rng: np.random.Generator) -> Items:
    """Claims grouped by document, in random order.

    Parameters
    ----------
    compositions : (supported, hallucinated, number of clusters with as many of each)
    """
    documents = [(s, h) for s, h, count in compositions for _ in range(count)]
    labels = np.concatenate([[0] * s + [1] * h for s, h in documents])
    document = np.repeat(np.arange(len(documents)), [s + h for s, h in documents])
    order = rng.permutation(len(labels))
    gold, document = labels[order], document[order]
    _, first, code = np.unique(document, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    uids = tuple(f"{position}:{'neg' if label else 'pos'}" for position, label in enumerate(gold))
    return Items(uids, rank[code], gold.astype(np.int64))


def share_within_clusters(noise: Floats, cluster: Ints, dependence: float) -> Floats:
    """Normals (n, k) that correlate by ``dependence`` between any two items of a cluster, member by member.

    Parameters
    ----------
    noise : (n, k) independent standard normals
    cluster : (n,) codes
    dependence : at least -1 / (m - 1) for clusters of m items
    """
    shared = noise.copy()
    sizes = np.bincount(cluster)
    order = np.argsort(cluster, kind="stable")
    start = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    for size in np.unique(sizes[sizes > 1]):
        root = symmetric_root(np.full((size, size), dependence) + (1 - dependence) * np.eye(size))
        rows = order[start[sizes == size][:, None] + np.arange(size)]
        shared[rows] = np.einsum("ab,gbk->gak", root, noise[rows])
    return shared
