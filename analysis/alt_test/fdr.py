"""The Benjamini-Yekutieli procedure (appendix D.6, algorithm 1)."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Bools, Floats


def by_rejections(p_values: Floats, q: float) -> Bools:
    """(m,) which hypotheses are rejected at false discovery rate q.

    The largest i with ``p_(i) <= (i / m) (q / sum_{k <= m} 1 / k)`` rejects the i smallest p-values.
    """
    m = len(p_values)
    rejected = np.zeros(m, dtype=bool)
    if m == 0:
        return rejected
    order = np.argsort(p_values, kind="stable")
    below = np.flatnonzero(p_values[order] <= by_thresholds(m, q))
    if len(below):
        rejected[order[: below[-1] + 1]] = True
    return rejected


def by_thresholds(m: int, q: float) -> Floats:
    """(m,) ascending thresholds of the sorted p-values."""
    ranks = np.arange(1, m + 1)
    thresholds: Floats = ranks / m * (q / np.sum(1.0 / ranks))
    return thresholds


def by_adjusted(p_values: Floats) -> Floats:
    """(m,) adjusted p-values: the smallest q at which each hypothesis is rejected, at most 1."""
    m = len(p_values)
    if m == 0:
        return p_values.copy()
    order = np.argsort(p_values, kind="stable")
    scaled = p_values[order] / by_thresholds(m, 1.0)
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return adjusted
