"""Proposition 4: when one weak judge turns a pool's preference between two labels."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats


def log_pool_log_ratio(weights: Floats, p_a: Floats, p_b: Floats) -> float:
    """log q(a)/q(b) of a weighted log pool: the weighted sum of the judges' log ratios (equation 16)."""
    return float(weights @ np.log(p_a / p_b))


def log_pool_vetoes(weak_weight: float, weak_log_ratio: float, weights: Floats, log_ratios: Floats) -> bool:
    """Whether a weak judge turns a log pool to b (equation 17).

    ``weak_log_ratio`` is log p_0(b)/p_0(a) of the weak judge; ``log_ratios`` are log p_j(a)/p_j(b) of the others.
    """
    return bool(weak_weight * weak_log_ratio > weights @ log_ratios)


def uniform_log_pool_vetoes(p_a: float, p_b: float, weak_a: float, weak_b: float, good_judges: int) -> bool:
    """Equation 18: m equal good judges with p(a), p(b) against one weak judge, all with the same weight."""
    return bool(np.log(weak_b / weak_a) > good_judges * np.log(p_a / p_b))


def uniform_linear_pool_vetoes(
    p_a: float, p_b: float, weak_a: float, weak_b: float, good_judges: int
) -> bool:
    """The same under a linear pool: the weak judge enters by its difference, not its ratio."""
    return bool(weak_b - weak_a > good_judges * (p_a - p_b))


def log_pool_veto_threshold(p_a: float, p_b: float, weak_b: float, good_judges: int) -> float:
    """The mass on a below which the weak judge, with mass ``weak_b`` on b, turns the uniform log pool."""
    return float(weak_b * (p_b / p_a) ** good_judges)


def linear_pool_veto_threshold(p_a: float, p_b: float, weak_b: float, good_judges: int) -> float:
    """The same for the uniform linear pool; negative where no weak judge can turn it."""
    return weak_b - good_judges * (p_a - p_b)
