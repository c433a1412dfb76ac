"""Coverage: the share of items with a verdict."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats
from analysis.metrics.confusion import Confusion


def coverage(counts: Confusion) -> Floats:
    """Committed items over all items (Table 22); NaN without items."""
    return counts.committed / np.where(counts.total == 0, np.nan, counts.total)
