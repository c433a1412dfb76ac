"""Correlation matrices: repair and square root."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats

_ROUNDS = 500
_TOLERANCE = 1e-10


def nearest_correlation(matrix: Floats) -> Floats:
    """The nearest correlation matrix (Frobenius) to a symmetric (k, k) matrix: Higham's alternating projections (2002).

    Returned as it is where it is positive semi-definite with a unit diagonal already.
    """
    y = (matrix + matrix.T) / 2
    correction = np.zeros_like(y)
    for _ in range(_ROUNDS):
        values, vectors = np.linalg.eigh(y - correction)
        if values[0] >= -_TOLERANCE and not correction.any():
            return y
        x = (vectors * np.maximum(values, 0.0)) @ vectors.T
        correction = x - (y - correction)
        y = x.copy()
        np.fill_diagonal(y, 1.0)
        if np.abs(x.diagonal() - 1.0).max() < _TOLERANCE:
            break
    return y


def symmetric_root(matrix: Floats) -> Floats:
    """The symmetric square root of a positive semi-definite (k, k) matrix.

    It depends continuously on the matrix, which a Cholesky factor of a singular one does not: the same normals then
    give nearly the same sample under nearly the same correlations.
    """
    values, vectors = np.linalg.eigh(matrix)
    root: Floats = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return root
