"""Unweighted majority of the committed members."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats


def unweighted(votes: Floats) -> Floats:
    """(n,) verdicts: 1 where at least half of the committed votes (n, k) are 1; NaN where nobody committed.

    A tie is read as hallucinated (section 2).
    """
    committed = (~np.isnan(votes)).sum(axis=1)
    hallucinated = (votes == 1).sum(axis=1)
    return np.where(committed == 0, np.nan, (2 * hallucinated >= committed).astype(np.float64))
