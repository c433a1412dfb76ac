"""Residual correlation of judges: how much of their error they share (paper, Table 20, section 6.1)."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.metrics.spearman import MIN_ITEMS, correlation


def residual_correlations(cell: Cell) -> Floats:
    """(m, m) Pearson correlations of the errors soft score - target, each pair over the items both judged.

    1 on the diagonal; NaN for a pair with a constant error or fewer than three shared items.
    """
    errors = soft_scores(cell) - cell.targets[:, None]
    m = len(cell.judges)
    out = np.eye(m)
    for i in range(m):
        for j in range(i):
            both = cell.present[:, i] & cell.present[:, j]
            enough = both.sum() >= MIN_ITEMS
            out[i, j] = out[j, i] = correlation(errors[both, i], errors[both, j]) if enough else np.nan
    return out


def mean_residual_correlation(cell: Cell) -> float:
    """Mean off-diagonal residual correlation over the defined pairs; NaN with one judge or no defined pair."""
    correlations = residual_correlations(cell)
    pairs = correlations[np.tril_indices(len(correlations), -1)]
    return float(np.nanmean(pairs)) if np.isfinite(pairs).any() else float("nan")
