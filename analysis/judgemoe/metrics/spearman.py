"""Spearman's rank correlation (paper, section 4.6), plain and for many weightings of the items at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.metrics.ties import snapped

MIN_ITEMS = 3


@dataclass(frozen=True, eq=False)
class Ranking:
    """Values sorted once, from which midranks under any item weights follow without sorting again.

    ``order`` sorts the items, ``ends`` is the last place of each distinct value in that order, ``position`` the
    distinct value of each item.
    """

    order: Ints
    ends: Ints
    position: Ints

    @classmethod
    def of(cls, values: Floats) -> Ranking:
        """Rank values; those within 1e-10 of each other are tied."""
        _, position, counts = np.unique(snapped(values), return_inverse=True, return_counts=True)
        return cls(np.argsort(position, kind="stable"), np.cumsum(counts) - 1, position)

    @property
    def size(self) -> int:
        """Number of distinct values."""
        return len(self.ends)

    def midranks(self, weights: Floats) -> Floats:
        """(r, n) midranks in r samples, in which item i occurs ``weights[:, i]`` times."""
        upper = np.cumsum(weights[:, self.order], axis=1)[:, self.ends]
        counts = np.diff(upper, axis=1, prepend=0.0)
        ranks: Floats = (upper - (counts - 1.0) / 2.0)[:, self.position]
        return ranks


def correlations(x: Floats, y: Floats, weights: Floats) -> Floats:
    """(r,) Pearson correlations of the rows of x and y under item weights, all (r, n); NaN for a constant side."""
    totals = weights.sum(axis=1, keepdims=True)
    dx = x - (weights * x).sum(axis=1, keepdims=True) / totals
    dy = y - (weights * y).sum(axis=1, keepdims=True) / totals
    scale = np.sqrt(np.einsum("rn,rn,rn->r", weights, dx, dx) * np.einsum("rn,rn,rn->r", weights, dy, dy))
    together: Floats = np.einsum("rn,rn,rn->r", weights, dx, dy)
    return together / np.where(scale > 0.0, scale, np.nan)


def correlation(x: Floats, y: Floats) -> float:
    """Pearson correlation of two (n,) arrays, NaN where either is constant."""
    return float(correlations(x[None], y[None], np.ones((1, len(x))))[0])


def ranking_correlation(x: Ranking, y: Ranking) -> float:
    """Spearman of two rankings of the same items; NaN where either has fewer than two distinct values."""
    if x.size < 2 or y.size < 2:
        return float("nan")
    once = np.ones((1, len(x.position)))
    return float(correlations(x.midranks(once), y.midranks(once), once)[0])


def spearman(x: Floats, y: Floats) -> float:
    """Rank correlation over the items where both are defined; NaN with fewer than three of them or a constant side."""
    both = np.isfinite(x) & np.isfinite(y)
    if both.sum() < MIN_ITEMS:
        return float("nan")
    return ranking_correlation(Ranking.of(x[both]), Ranking.of(y[both]))
