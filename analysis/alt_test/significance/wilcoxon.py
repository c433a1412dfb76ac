"""Fewer than 30 items: the Wilcoxon signed-rank test (appendix A)."""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy.special import ndtr
from scipy.stats import rankdata

from analysis.alt_test.significance.base import ALL_ZERO, FEW_ITEMS, Significance
from analysis.arrays import Floats

#: Up to here all 2^n signs are tried, as ``scipy.stats.wilcoxon`` does where ranks are tied (and takes a second for).
EXACT_ITEMS: Final = 13


def wilcoxon_test(d: Floats, epsilon: float) -> Significance:
    """One-sided signed-rank test of ``d - epsilon``, flagged.

    The p-value of ``scipy.stats.wilcoxon`` at its defaults: differences of 0 are dropped; d has three values at
    most, so that ranks are tied, and p is exact given the ranks up to 13 items and the normal approximation with the
    tie correction above. With no difference left, p = 1.

    Parameters
    ----------
    d : (n,) W^h - W^f, n >= 1
    epsilon : cost-benefit penalty of the human
    """
    shifted = d - epsilon
    if not shifted.any():
        return Significance("wilcoxon", 1.0, None, None, len(d), (FEW_ITEMS, ALL_ZERO))
    kept = shifted[shifted != 0.0]
    ranks = rankdata(np.abs(kept))
    positive = float(ranks[kept > 0.0].sum())
    p = (_exact if len(d) <= EXACT_ITEMS else _approximate)(ranks, positive)
    return Significance("wilcoxon", p, positive, None, len(d), (FEW_ITEMS,))


def _exact(ranks: Floats, positive: float) -> float:
    """Share of all sign patterns whose sum of positive ranks is no larger."""
    # Doubled mean ranks are integers, and so compare exactly.
    doubled = np.rint(2.0 * ranks).astype(np.int64)
    signs = (np.arange(2 ** len(ranks))[:, None] >> np.arange(len(ranks))) & 1
    return float((signs @ doubled <= round(2.0 * positive)).mean())


def _approximate(ranks: Floats, positive: float) -> float:
    """Normal approximation with the tie correction, without one for continuity."""
    n = len(ranks)
    ties = np.unique(ranks, return_counts=True)[1]
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((ties**3 - ties).sum()) / 48
    return float(ndtr((positive - n * (n + 1) / 4) / np.sqrt(variance)))
