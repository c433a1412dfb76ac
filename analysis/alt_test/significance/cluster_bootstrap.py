"""Cluster bootstrap of d, studentised (beyond the paper)."""

from __future__ import annotations

from typing import Final

import numpy as np

from analysis.alt_test.significance.base import CONSTANT, NO_SPREAD, Significance, constant_p, is_constant
from analysis.alt_test.significance.clusters import ClusterSums, cluster_sums
from analysis.arrays import Floats, Ints

N_RESAMPLES: Final = 9_999
_CHUNK: Final = 1_000


def cluster_bootstrap_test(
    d: Floats,
    clusters: Ints,
    epsilon: float,
    rng: np.random.Generator,
    weights: Floats | None = None,
    n_resamples: int = N_RESAMPLES,
) -> Significance:
    """One-sided bootstrap-t over whole clusters: p = (1 + #{t* <= t}) / (B + 1).

    ``t = (dbar - epsilon) / se`` and ``t* = (dbar* - dbar) / se*``, with the ratio mean ``dbar`` of items and its
    linearised standard error over clusters.

    Parameters
    ----------
    d : (n,) W^h - W^f
    clusters : (n,) cluster codes, 2 distinct ones at least
    epsilon : cost-benefit penalty of the human
    rng : generator of the draws
    weights : (n,) item weights, or None
    n_resamples : B; p is at least 1 / (B + 1)
    """
    sums = cluster_sums(d, clusters, weights)
    mean = float(sums.d.sum() / sums.weight.sum())
    observed_se = float(_standard_errors(np.ones((1, sums.n)), sums)[1][0])
    if is_constant(d) or observed_se == 0.0:
        return Significance(
            "cluster_bootstrap", constant_p(mean, epsilon), None, None, sums.n, (CONSTANT, *sums.flags)
        )
    observed = (mean - epsilon) / observed_se
    beyond = 0
    for start in range(0, n_resamples, _CHUNK):
        size = min(_CHUNK, n_resamples - start)
        draws = rng.integers(0, sums.n, size=(size, sums.n)) + sums.n * np.arange(size)[:, None]
        counts = np.bincount(draws.ravel(), minlength=size * sums.n).reshape(size, sums.n).astype(np.float64)
        means, errors = _standard_errors(counts, sums)
        shift = means - mean
        # A resample of equal clusters has no spread: it is infinitely far in the direction of its mean.
        far = np.copysign(np.inf, shift)
        t = np.divide(shift, errors, out=np.where(shift == 0.0, 0.0, far), where=errors > 0.0)
        beyond += int((t <= observed).sum())
    p = (1 + beyond) / (n_resamples + 1)
    return Significance("cluster_bootstrap", p, observed, None, sums.n, sums.flags)


def _standard_errors(counts: Floats, sums: ClusterSums) -> tuple[Floats, Floats]:
    """Ratio means and linearised standard errors of resamples; ``counts`` is (B, C)."""
    total = counts @ sums.weight
    means = counts @ sums.d / total
    # sum of (d_c - mean w_c)^2 over the drawn clusters, expanded so that no (B, C) residuals are made.
    squares = (
        counts @ sums.d**2
        - 2.0 * means * (counts @ (sums.d * sums.weight))
        + means**2 * (counts @ sums.weight**2)
    )
    n = sums.n
    tiny = NO_SPREAD * (counts @ sums.d**2 + means**2 * (counts @ sums.weight**2))
    variance = np.where(squares > tiny, squares, 0.0) * n / (n - 1.0)
    return means, np.sqrt(variance) / total
