"""Balanced accuracy: abstentions charged as errors, or, for weights and selection, over committed items."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats
from analysis.metrics.confusion import Confusion


def balanced_accuracy(counts: Confusion) -> Floats:
    """Mean of the per-class recalls over all items, an abstention being an error against its class (section
    2).

    A class without items is left out of the mean; NaN without items.
    """
    return _mean_recall(counts.tp, counts.positives, counts.tn, counts.negatives)


def committed_balanced_accuracy(counts: Confusion) -> Floats:
    """Mean of the per-class recalls over the committed items; 0.5 where they lack a class.

    This is the competence that the accuracy-weighted and log-odds-weighted votes and the choice of the
    CV-best single member read off the training folds.
    """
    positives, negatives = counts.tp + counts.fn, counts.fp + counts.tn
    return np.where(
        (positives == 0) | (negatives == 0), 0.5, _mean_recall(counts.tp, positives, counts.tn, negatives)
    )


def _mean_recall(tp: Floats, positives: Floats, tn: Floats, negatives: Floats) -> Floats:
    # Whole numbers over whole numbers, so that equal scores are equal in floating point.
    both = (tp * negatives + tn * positives) / np.where(
        positives * negatives == 0, 1.0, 2 * positives * negatives
    )
    one = (tp + tn) / np.where(positives + negatives == 0, np.nan, positives + negatives)
    return np.where((positives == 0) | (negatives == 0), one, both)
