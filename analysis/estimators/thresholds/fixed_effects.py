"""Least squares with an effect for each benchmark, and its bootstrap over benchmarks (appendix C)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.statistics.bootstrap import N_DRAWS
from analysis.statistics.intervals import Interval, interval


@dataclass(frozen=True)
class FixedEffects:
    """A fit.

    Attributes
    ----------
    coefficients : (p,) on the sample; NaN where no benchmark varies enough to tell the regressors apart
    intervals : over the draws, for each regressor
    """

    coefficients: Floats
    intervals: tuple[Interval, ...]


def fixed_effects(
    outcome: Floats, regressors: Floats, benchmark: Ints, rng: np.random.Generator, n_draws: int = N_DRAWS
) -> FixedEffects:
    """Regress outcomes (m,) on regressors (m, p) within benchmarks (m,), coded 0..D-1.

    Each draw takes D benchmarks with replacement by ``rng.integers(0, D, size=D)``; one taken twice has two effects, so
    that its within-benchmark sums enter twice. A draw whose benchmarks cannot tell the regressors apart has no
    coefficient.
    """
    n_benchmarks = int(benchmark.max()) + 1
    sums_xx = np.zeros((n_benchmarks, regressors.shape[1], regressors.shape[1]))
    sums_xy = np.zeros((n_benchmarks, regressors.shape[1]))
    for code in range(n_benchmarks):
        mine = benchmark == code
        x = regressors[mine] - regressors[mine].mean(axis=0)
        sums_xx[code] = x.T @ x
        sums_xy[code] = x.T @ (outcome[mine] - outcome[mine].mean())
    taken = rng.integers(0, n_benchmarks, size=(n_draws, n_benchmarks))
    times = (taken[:, :, None] == np.arange(n_benchmarks)).sum(axis=1).astype(np.float64)
    total = sums_xx.sum(axis=0)
    negligible = 1e-12 * float(np.abs(total).max())
    drawn = _solve(np.tensordot(times, sums_xx, axes=1), times @ sums_xy, negligible)
    whole = _solve(total[None], sums_xy.sum(axis=0)[None], negligible)[0]
    return FixedEffects(whole, tuple(interval(column) for column in drawn.T))


def _solve(xx: Floats, xy: Floats, negligible: float) -> Floats:
    """(s, p) least-squares coefficients of each system; NaN where it is singular but for rounding."""
    singular = np.linalg.eigvalsh(xx)[:, 0] <= negligible
    usable = np.where(singular[:, None, None], np.eye(xx.shape[1]), xx)
    return np.where(singular[:, None], np.nan, np.linalg.solve(usable, xy[:, :, None])[:, :, 0])
