"""Spearman's rank correlation (paper, section 4.6), plain and under item weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.metrics.ties import snapped

MIN_ITEMS = 3


@dataclass(frozen=True, eq=False)
class Ranking:
    """Values as positions in their sorted distinct values, from which midranks under any weights follow in O(n)."""

    position: Ints
    size: int

    @classmethod
    def of(cls, values: Floats) -> Ranking:
        """Rank values; those within 1e-10 of each other are tied."""
        distinct, position = np.unique(snapped(values), return_inverse=True)
        return cls(position, len(distinct))

    def midranks(self, weights: Floats | None = None) -> Floats:
        """(n,) midranks of the sample in which item i occurs ``weights[i]`` times (once each by default)."""
        counts = np.bincount(self.position, weights, minlength=self.size)
        middles = np.cumsum(counts) - (counts - 1.0) / 2.0
        ranks: Floats = middles[self.position]
        return ranks


def correlation(x: Floats, y: Floats, weights: Floats | None = None) -> float:
    """Pearson correlation under item weights, NaN where either side is constant."""
    w = np.full(len(x), 1.0) if weights is None else weights
    total = w.sum()
    dx = x - (w @ x) / total
    dy = y - (w @ y) / total
    scale = float(np.sqrt((w @ (dx * dx)) * (w @ (dy * dy))))
    return float(w @ (dx * dy)) / scale if scale > 0.0 else float("nan")


def spearman(x: Floats, y: Floats) -> float:
    """Rank correlation over the items where both are defined; NaN with fewer than three of them or a constant side."""
    both = np.isfinite(x) & np.isfinite(y)
    if both.sum() < MIN_ITEMS:
        return float("nan")
    return ranking_correlation(Ranking.of(x[both]), Ranking.of(y[both]))


def ranking_correlation(x: Ranking, y: Ranking, weights: Floats | None = None) -> float:
    """Spearman of two rankings of the same items; NaN where either has fewer than two distinct values."""
    if x.size < 2 or y.size < 2:
        return float("nan")
    return correlation(x.midranks(weights), y.midranks(weights), weights)
