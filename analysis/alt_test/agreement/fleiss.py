"""Fleiss' kappa, for items with unequal numbers of annotators too."""

from __future__ import annotations

import numpy as np

from analysis.alt_test.agreement.slots import equal_pairs, paired
from analysis.arrays import Ints


def fleiss_kappa(codes: Ints) -> float | None:
    """Fleiss (1971) over the items with two labels or more; None without such items or where all labels are equal.

    With equal numbers of labels it is Fleiss' kappa. With unequal ones each item's agreement is the share of its
    pairs of labels that agree, items weigh the same, and the expected agreement is that of all labels pooled.

    Parameters
    ----------
    codes : (n, r) labels of each item, negative where there is none
    """
    codes = paired(codes)
    pooled = np.bincount(codes[codes >= 0])
    if np.count_nonzero(pooled) <= 1:
        return None
    shares = pooled / pooled.sum()
    expected = float((shares**2).sum())
    totals = (codes >= 0).sum(axis=1)
    observed = float((equal_pairs(codes) / (totals * (totals - 1))).mean())
    return (observed - expected) / (1.0 - expected)
