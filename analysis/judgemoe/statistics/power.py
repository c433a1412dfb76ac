"""First-order power of a comparison over cells (paper, Table 30)."""

from __future__ import annotations

import math

from scipy.stats import norm

ALPHA = 0.05
TARGET_POWER = 0.8


def power(mean: float, deviation: float, cells: int, alpha: float = ALPHA) -> float:
    """Power of a one-sided test of a positive mean difference over cells, in the normal approximation."""
    return float(norm.cdf(mean / deviation * math.sqrt(cells) - norm.ppf(1.0 - alpha)))


def cells_needed(
    mean: float, deviation: float, target: float = TARGET_POWER, alpha: float = ALPHA
) -> int | None:
    """Least number of cells with the target power; None where the mean difference is not positive."""
    if mean <= 0.0:
        return None
    return math.ceil(((norm.ppf(1.0 - alpha) + norm.ppf(target)) * deviation / mean) ** 2)
