"""Correlation of two annotators' numbers."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from analysis.arrays import Floats


def pearson(a: Floats, b: Floats) -> float | None:
    """Pearson's r of two (n,) arrays; None below 2 items or where one of them never varies."""
    if len(a) < 2 or (a == a[0]).all() or (b == b[0]).all():
        return None
    x, y = a - a.mean(), b - b.mean()
    return float((x @ y) / np.sqrt((x @ x) * (y @ y)))


def spearman(a: Floats, b: Floats) -> float | None:
    """Spearman's correlation: Pearson's r of the mean ranks."""
    return pearson(rankdata(a), rankdata(b))
