"""Weights over the judges that are present on an item."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Bools, Floats


def present_weights(weights: Floats, present: Bools) -> Floats:
    """(n, m) weights renormalised over the judges present on each item.

    ``weights`` is (m,), the same for all items, or (n, m). A row is NaN where no judge with positive weight is present:
    a pool says nothing about an item that none of its judges saw.
    """
    masked = np.where(present, weights, 0.0)
    totals = masked.sum(axis=1, keepdims=True)
    return masked / np.where(totals > 0.0, totals, np.nan)


def uniform_weights(m: int) -> Floats:
    """(m,) equal weights."""
    return np.full(m, 1.0 / m)
