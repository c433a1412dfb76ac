"""F1 of the hallucinated class."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats
from analysis.metrics.confusion import Confusion


def hallucinated_f1(counts: Confusion) -> Floats:
    """F1 on gold 1, an abstention being a miss (Table 9); NaN where gold and verdicts have no 1."""
    denominator = counts.positives + counts.tp + counts.fp
    return 2 * counts.tp / np.where(denominator == 0, np.nan, denominator)


def f1_at_prevalence(counts: Confusion, prevalence: float) -> Floats:
    """F1 on gold 1 as it would be at another share of hallucinated items, both error rates held fixed.

    An abstention is a miss. NaN where a class is empty, or where it would be 0 / 0.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        true_positive = prevalence * counts.tp / counts.positives
        false_positive = (1 - prevalence) * counts.fp / counts.negatives
        value: Floats = 2 * true_positive / (prevalence + true_positive + false_positive)
    return value
