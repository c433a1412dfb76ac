"""Calibration of final scalar predictions against human scores (paper, Tables 28 and 29, Figure 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.metrics.ties import snapped

N_BINS = 10


@dataclass(frozen=True, eq=False)
class Reliability:
    """Per bin: number of items, mean prediction and mean human score (NaN in an empty bin)."""

    counts: Ints
    predicted: Floats
    human: Floats


def bin_of(predictions: Floats) -> Ints:
    """(n,) equal-width bin of each prediction; a prediction on an edge is in the upper bin, 1 in the last."""
    return np.minimum(np.floor(snapped(predictions) * N_BINS + 1e-9), N_BINS - 1).astype(np.int64)


def reliability(predictions: Floats, targets: Floats) -> Reliability:
    """Bin means over the items whose prediction is defined."""
    defined = np.isfinite(predictions)
    bins = bin_of(predictions[defined])
    counts = np.bincount(bins, minlength=N_BINS)
    safe = np.where(counts > 0, counts, np.nan)
    return Reliability(
        counts,
        np.bincount(bins, predictions[defined], minlength=N_BINS) / safe,
        np.bincount(bins, targets[defined], minlength=N_BINS) / safe,
    )


def ece(predictions: Floats, targets: Floats) -> float:
    """Gap between mean prediction and mean human score of each bin, averaged by bin frequency; NaN without items."""
    diagram = reliability(predictions, targets)
    total = int(diagram.counts.sum())
    if total == 0:
        return float("nan")
    gaps = np.abs(diagram.predicted - diagram.human)
    return float(np.nansum(gaps * diagram.counts) / total)


def mae(predictions: Floats, targets: Floats) -> float:
    """Mean absolute error over the items whose prediction is defined; NaN without any."""
    gaps = np.abs(predictions - targets)
    return float(np.nanmean(gaps)) if np.isfinite(gaps).any() else float("nan")


def rmse(predictions: Floats, targets: Floats) -> float:
    """Root mean squared error over the items whose prediction is defined; NaN without any."""
    squares = (predictions - targets) ** 2
    return float(np.sqrt(np.nanmean(squares))) if np.isfinite(squares).any() else float("nan")
