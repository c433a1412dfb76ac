"""The t-test of weighted items: inverse probability weighting (appendix D.1)."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr

from analysis.alt_test.significance.base import CONSTANT, FEW_EFFECTIVE, Significance, constant_p, is_constant
from analysis.arrays import Floats


def effective_n(weights: Floats) -> float:
    """n^pi = (sum pi)^2 / sum pi^2."""
    return float(weights.sum() ** 2 / (weights**2).sum())


def weighted_t_test(d: Floats, weights: Floats, epsilon: float) -> Significance:
    """One-sided: ``t = (dbar - epsilon) / (s / sqrt(n_eff))`` with weighted mean dbar and weighted variance s^2.

    As printed, s divides by the sum of the weights: with equal weights t is the plain one times sqrt(n / (n - 1)).
    The paper names no degrees of freedom; ``n_eff - 1`` are used, which is ``n - 1`` with equal weights.

    Parameters
    ----------
    d : (n,) W^h - W^f, unweighted
    weights : (n,) positive
    epsilon : cost-benefit penalty of the human
    """
    n = effective_n(weights)
    flags = (FEW_EFFECTIVE,) if n < 30.0 else ()
    if is_constant(d):
        return Significance(
            "weighted_t", constant_p(float(d[0]), epsilon), None, n - 1.0, n, (CONSTANT, *flags)
        )
    total = weights.sum()
    mean = (weights * d).sum() / total
    s = np.sqrt((weights * (d - mean) ** 2).sum() / total)
    t = (mean - epsilon) / (s / np.sqrt(n))
    return Significance("weighted_t", float(stdtr(n - 1, t)), float(t), n - 1.0, n, flags)
