"""Items that share a document are not independent: t-test on the clusters' sums (beyond the paper)."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr

from analysis.alt_test.significance.base import CONSTANT, NO_SPREAD, Significance, constant_p, is_constant
from analysis.alt_test.significance.clusters import cluster_sums
from analysis.arrays import Floats, Ints


def cluster_t_test(d: Floats, clusters: Ints, epsilon: float, weights: Floats | None = None) -> Significance:
    """One-sided t-test that the clusters' sums of ``w (d - epsilon)`` have mean 0, with C - 1 degrees of freedom.

    Under H0's boundary every such sum has mean 0, whatever the clusters' sizes and however items within one depend
    on each other; between clusters they are independent. With one item a cluster it is the plain t-test.

    Parameters
    ----------
    d : (n,) W^h - W^f
    clusters : (n,) cluster codes, 2 distinct ones at least
    epsilon : cost-benefit penalty of the human
    weights : (n,) item weights, or None
    """
    sums = cluster_sums(d, clusters, weights)
    df = sums.n - 1.0
    if is_constant(d):
        return Significance(
            "cluster_t", constant_p(float(d[0]), epsilon), None, df, sums.n, (CONSTANT, *sums.flags)
        )
    scores = sums.d - epsilon * sums.weight
    spread = scores.std(ddof=1)
    if spread <= NO_SPREAD * np.abs(scores).max():
        return Significance(
            "cluster_t", constant_p(float(scores[0]), 0.0), None, df, sums.n, (CONSTANT, *sums.flags)
        )
    t = scores.mean() / (spread / np.sqrt(sums.n))
    return Significance("cluster_t", float(stdtr(df, t)), float(t), df, sums.n, sums.flags)
