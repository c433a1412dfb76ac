"""Covariance-aware weights: the simplex weights of least error variance (paper, section 4.4).

The paper's baseline "uses validation error covariance to set non-uniform judge weights, giving less influence to judges
with large or highly correlated errors". Here: e_j = soft score of judge j - target on the validation items, C their
covariance, and

    w = argmin w' (C + r I) w   subject to   w >= 0, sum w = 1,   r = RIDGE * trace(C) / m.

The ridge makes the minimiser unique, also for two identical judges, which then share their weight. It is found exactly
and without a random start: by the optimality conditions w is proportional to the solution v >= 0 of
min v' (C + r I) v / 2 - sum v, a non-negative least-squares problem on the Cholesky factor, solved by the active-set
method of Lawson and Hanson.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular
from scipy.optimize import nnls

from analysis.arrays import Bools, Floats

RIDGE = 1e-6


def error_covariance(errors: Floats, present: Bools) -> Floats:
    """(m, m) covariance of (n, m) errors, each pair over the items where both judges are present.

    With absent judges the pairwise matrix need not be positive semidefinite: its negative eigenvalues are set to 0.
    Each pair must share two items or more.
    """
    shared = present.T.astype(np.float64) @ present.astype(np.float64)
    if present.all():
        centred = errors - errors.mean(axis=0)
        covariance: Floats = centred.T @ centred / (len(errors) - 1)
        return covariance
    filled = np.where(present, errors, 0.0)
    mask = present.astype(np.float64)
    # Means over the pair's own items, so that a judge that saw easier items is not taken for a better one.
    sums = filled.T @ mask
    products = filled.T @ filled
    covariance = (products - sums * sums.T / shared) / (shared - 1.0)
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2.0)
    projected: Floats = (vectors * np.maximum(values, 0.0)) @ vectors.T
    return projected


def least_variance_weights(covariance: Floats) -> Floats:
    """(m,) simplex weights of least variance for an (m, m) positive semidefinite covariance; unique, deterministic."""
    m = len(covariance)
    scale = float(np.trace(covariance)) / m
    if scale <= 0.0:
        return np.full(m, 1.0 / m)
    factor = np.linalg.cholesky(covariance / scale + RIDGE * np.eye(m))
    solution, _ = nnls(factor.T, solve_triangular(factor, np.ones(m), lower=True))
    weights: Floats = solution / solution.sum()
    return weights
