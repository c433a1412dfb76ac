"""Cluster bootstrap of d, studentised (beyond the paper)."""

from __future__ import annotations

from typing import Final

import numpy as np

from analysis.alt_test.significance.base import CONSTANT, NO_SPREAD, Significance, constant_p, is_constant
from analysis.alt_test.significance.clusters import ClusterSums, cluster_sums
from analysis.arrays import Floats, Ints

N_RESAMPLES: Final = 9_999
_CHUNK: Final = 1_000


def cluster_bootstrap_tests(
    d: Floats,
    clusters: Ints,
    epsilon: float,
    rng: np.random.Generator,
    weights: Floats | None = None,
    n_resamples: int = N_RESAMPLES,
) -> list[Significance]:
    """One-sided bootstrap-t over whole clusters, for several judges on the same items and the same draws.

    ``t = (dbar - epsilon) / se`` and ``t* = (dbar* - dbar) / se*``, with the ratio mean ``dbar`` of items and its
    linearised standard error over clusters; ``p = (1 + #{t* <= t}) / (B + 1)``.

    Parameters
    ----------
    d : (n, J) W^h - W^f of J judges
    clusters : (n,) cluster codes, 2 distinct ones at least
    epsilon : cost-benefit penalty of the human
    rng : generator of the draws
    weights : (n,) item weights, or None
    n_resamples : B; p is at least 1 / (B + 1)
    """
    judges = [cluster_sums(column, clusters, weights) for column in d.T]
    n = judges[0].n
    means = [float(sums.d.sum() / sums.weight.sum()) for sums in judges]
    errors = [float(_resampled(np.ones((1, n)), sums)[1][0]) for sums in judges]
    constant = [is_constant(column) or error == 0.0 for column, error in zip(d.T, errors, strict=True)]
    observed = [
        0.0 if c else (mean - epsilon) / se for c, mean, se in zip(constant, means, errors, strict=True)
    ]
    beyond = np.zeros(len(judges), dtype=np.int64)
    for start in range(0, n_resamples, _CHUNK):
        size = min(_CHUNK, n_resamples - start)
        draws = rng.integers(0, n, size=(size, n)) + n * np.arange(size)[:, None]
        counts = np.bincount(draws.ravel(), minlength=size * n).reshape(size, n).astype(np.float64)
        for j, sums in enumerate(judges):
            if not constant[j]:
                beyond[j] += int((_studentised(counts, sums, means[j]) <= observed[j]).sum())
    flags = judges[0].flags
    return [
        Significance("cluster_bootstrap", constant_p(mean, epsilon), None, None, n, (CONSTANT, *flags))
        if constant[j]
        else Significance(
            "cluster_bootstrap", float((1 + beyond[j]) / (n_resamples + 1)), observed[j], None, n, flags
        )
        for j, mean in enumerate(means)
    ]


def _studentised(counts: Floats, sums: ClusterSums, mean: float) -> Floats:
    """(B,) t* of resamples; ``counts`` is (B, C)."""
    means, errors = _resampled(counts, sums)
    shift = means - mean
    # A resample of equal clusters has no spread: it is infinitely far in the direction of its mean.
    far = np.where(shift == 0.0, 0.0, np.copysign(np.inf, shift))
    return np.divide(shift, errors, out=far, where=errors > 0.0)


def _resampled(counts: Floats, sums: ClusterSums) -> tuple[Floats, Floats]:
    """Ratio means and linearised standard errors of resamples; ``counts`` is (B, C)."""
    total = counts @ sums.weight
    means = counts @ sums.d / total
    # sum of (d_c - mean w_c)^2 over the drawn clusters, expanded so that no (B, C) residuals are made.
    of_d, of_weight = counts @ sums.d**2, counts @ sums.weight**2
    squares = of_d - 2.0 * means * (counts @ (sums.d * sums.weight)) + means**2 * of_weight
    squares = np.where(squares > NO_SPREAD * (of_d + means**2 * of_weight), squares, 0.0)
    return means, np.sqrt(squares * sums.n / (sums.n - 1.0)) / total
