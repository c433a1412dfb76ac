"""Krippendorff's alpha: nominal, ordinal and interval, with missing labels.

Krippendorff (2011): 1 less observed over expected disagreement of the paired labels. Items with one label are not
paired and do not count. ``codes`` are (n, r), negative where there is no label.
"""

from __future__ import annotations

import numpy as np

from analysis.alt_test.agreement.slots import equal_pairs, paired
from analysis.arrays import Floats, Ints


def nominal_alpha(codes: Ints) -> float | None:
    """Alpha with difference 1 between unequal labels; None where all paired labels are equal."""
    codes = paired(codes)
    pooled = np.bincount(codes[codes >= 0]).astype(np.float64)
    if np.count_nonzero(pooled) <= 1:
        return None
    totals = (codes >= 0).sum(axis=1)
    n = totals.sum()
    unequal = totals * (totals - 1) - equal_pairs(codes)
    observed = (unequal / (totals - 1)).sum() / n
    expected = (n**2 - (pooled**2).sum()) / (n * (n - 1))
    return float(1.0 - observed / expected)


def interval_alpha(codes: Ints, values: Floats) -> float | None:
    """Alpha with squared differences of the labels' (K,) values; None where all paired labels are equal."""
    codes = paired(codes)
    given = codes >= 0
    if len(np.unique(codes[given])) <= 1:
        return None
    totals = given.sum(axis=1)
    n = totals.sum()
    # Centred values: sums of squares of large numbers would lose the differences.
    numbers = np.where(given, values[codes] - values[codes[given]].mean(), 0.0)
    sums, squares = numbers.sum(axis=1), (numbers**2).sum(axis=1)
    observed = (2.0 * (totals * squares - sums**2) / (totals - 1)).sum() / n
    expected = 2.0 * (n * squares.sum() - sums.sum() ** 2) / (n * (n - 1))
    return float(1.0 - observed / expected)


def ordinal_alpha(codes: Ints) -> float | None:
    """Alpha with Krippendorff's ordinal difference; codes ascend with the labels.

    The difference of two labels is the number of labels given between them, counting half of both ends: the
    difference of their mean ranks. So this is the interval alpha of the ranks.
    """
    kept = paired(codes)
    pooled = np.bincount(kept[kept >= 0]).astype(np.float64)
    return interval_alpha(codes, np.cumsum(pooled) - pooled / 2.0)
