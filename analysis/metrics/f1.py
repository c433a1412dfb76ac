"""F1 of the hallucinated class."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats
from analysis.metrics.confusion import Confusion


def hallucinated_f1(counts: Confusion) -> Floats:
    """F1 on gold 1 (Table 9), an abstention being a miss; NaN where nothing is positive in gold or verdicts."""
    denominator = counts.positives + counts.tp + counts.fp
    return 2 * counts.tp / np.where(denominator == 0, np.nan, denominator)
