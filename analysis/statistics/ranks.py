"""Rank correlation of a suite's benchmarks."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import spearmanr

from analysis.arrays import Floats

#: A rank correlation of fewer points has no p.
MIN_POINTS = 3


def rank_correlation(x: Floats, y: Floats) -> dict[str, Any]:
    """Spearman's rho of two statistics, one value a benchmark, with its p; None with a reason where undefined."""
    if len(x) < MIN_POINTS:
        return {"rho": None, "p": None, "reason": f"fewer than {MIN_POINTS} benchmarks"}
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return {"rho": None, "p": None, "reason": "one side is the same on all benchmarks"}
    result = spearmanr(x, y)
    return {"rho": float(result.statistic), "p": float(result.pvalue)}
