"""F1 of the hallucinated class."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats
from analysis.metrics.confusion import Confusion


def hallucinated_f1(counts: Confusion) -> Floats:
    """F1 on gold 1, an abstention being a miss (Table 9); NaN where gold and verdicts have no 1."""
    denominator = counts.positives + counts.tp + counts.fp
    return 2 * counts.tp / np.where(denominator == 0, np.nan, denominator)
