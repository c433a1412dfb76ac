"""The plain test: one-sample t-test of d against epsilon (section 3)."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr

from analysis.alt_test.significance.base import CONSTANT, Significance, constant_p, is_constant
from analysis.arrays import Floats


def t_test(d: Floats, epsilon: float) -> Significance:
    """One-sided: P(T_{n-1} <= t), ``t = (mean(d) - epsilon) / (s / sqrt(n))``.

    Parameters
    ----------
    d : (n,) W^h - W^f, n >= 2
    epsilon : cost-benefit penalty of the human
    """
    n = len(d)
    if is_constant(d):
        return Significance("t", constant_p(float(d[0]), epsilon), None, n - 1.0, n, (CONSTANT,))
    t = (d.mean() - epsilon) / (d.std(ddof=1) / np.sqrt(n))
    return Significance("t", float(stdtr(n - 1, t)), float(t), n - 1.0, n)
