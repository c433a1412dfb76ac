"""The exact Wilcoxon signed-rank test, with ties."""

from __future__ import annotations

from typing import Literal

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.metrics.ties import snapped


def signed_rank(differences: Floats, alternative: Literal["greater", "two-sided"]) -> float:
    """Exact p-value: the share of all 2^n sign patterns with a rank sum at least as extreme.

    Zero differences are dropped (Wilcoxon's rule); ties share midranks, for which the null distribution is counted
    over doubled ranks, which are whole. 1 where every difference is 0; NaN without differences.
    """
    if len(differences) == 0:
        return float("nan")
    d = snapped(differences)
    d = d[d != 0.0]
    if len(d) == 0:
        return 1.0
    _, position, counts = np.unique(np.abs(d), return_inverse=True, return_counts=True)
    doubled = (2 * np.cumsum(counts) - counts + 1)[position]
    statistic = int(doubled[d > 0].sum())
    # ways[s]: sign patterns whose positive doubled ranks sum to s. Python integers: 2^n outgrows a float's digits.
    ways = [1] + [0] * int(doubled.sum())
    reach = 0
    for rank in doubled.tolist():
        reach += rank
        for total in range(reach, rank - 1, -1):
            ways[total] += ways[total - rank]
    patterns = 1 << len(d)
    upper = sum(ways[statistic:]) / patterns
    if alternative == "greater":
        return upper
    lower = sum(ways[: statistic + 1]) / patterns
    return min(1.0, 2.0 * min(upper, lower))
