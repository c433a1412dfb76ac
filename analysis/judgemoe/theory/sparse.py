"""Proposition 8: when dropping a judge brings a uniform log pool closer to the posterior."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.theory.temperature import effective_exponent


def excess(tau: Floats, temperature: float) -> float:
    """Delta = m (mean precision - T): positive where the pool is over-sharpened, negative where it is too flat."""
    return float(len(tau) * (np.mean(1.0 / tau) - temperature))


def helpful_interval(tau: Floats, temperature: float) -> tuple[float, float]:
    """Open interval of delta_0 = 1/tau_0 - T in which dropping judge 0 helps (equation 25); empty where Delta is 0."""
    m = len(tau)
    delta = excess(tau, temperature)
    ends = (delta / m, (2 * m - 1) * delta / m)
    return min(ends), max(ends)


def dropping_helps(tau: Floats, judge: int, temperature: float) -> bool:
    """Whether the pool's exponent is strictly closer to 1 without the judge, by the interval. Needs two judges."""
    low, high = helpful_interval(tau, temperature)
    return low < 1.0 / float(tau[judge]) - temperature < high


def exponent_without(tau: Floats, judge: int, temperature: float) -> float:
    """gamma of the pool that lacks the judge."""
    return effective_exponent(np.delete(tau, judge), temperature)


def flat_judge_hurts(tau: Floats, temperature: float) -> bool:
    """Corollary 1 with its condition: whether dropping a judge that says nothing (precision 0) helps this pool.

    The corollary says that it does wherever the pool is under-sharpened. The interval says a little less: with mean
    precision r of the whole pool of m, it does exactly where 0 < r < T (2m - 2)/(2m - 1). Between that and T the pool
    is nearly right as it is, and without the flat judge it overshoots.
    """
    m = len(tau)
    mean_precision = float(np.mean(1.0 / tau))
    return 0.0 < mean_precision < temperature * (2 * m - 2) / (2 * m - 1)
