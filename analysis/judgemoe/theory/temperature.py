"""Proposition 6: the pooling temperature that undoes the judges' calibration temperatures."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.pools.log import log_pool, log_probabilities
from analysis.judgemoe.pools.weights import present_weights, uniform_weights

#: Search range of an estimated temperature; an estimate at an end says that the data do not determine it.
RANGE = (0.05, 20.0)
_GRID = 41


def tempered(posterior: Floats, tau: float) -> Floats:
    """(..., K) a judge of calibration temperature tau: the posterior to the power 1/tau, normalised (equation 19)."""
    logits = np.log(posterior) / tau
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    judge: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return judge


def effective_exponent(tau: Floats, temperature: float) -> float:
    """gamma(T) of the uniform pool: it is proportional to the posterior to this power (equation 20)."""
    return float(np.mean(1.0 / tau)) / temperature


def optimal_temperature(tau: Floats) -> float:
    """T* = mean of 1/tau: the pool recovers the posterior there and nowhere else (equation 21)."""
    return float(np.mean(1.0 / tau))


def estimate_temperature(cell: Cell) -> float:
    """Temperature of least squared error of the uniform log pool on a cell's items: an estimate of T*.

    By equation 22 the squared error has its least expected value at T*. A grid on log T over :data:`RANGE`, then
    Brent's method around its best point: the risk need not have one minimum.
    """
    log_p = log_probabilities(cell.probabilities)
    weights = uniform_weights(len(cell.judges))
    spread = weights if cell.complete else present_weights(weights, cell.present)

    def risk(log_t: float) -> float:
        prediction = log_pool(log_p, spread, float(np.exp(log_t))) @ cell.labels
        return float(np.mean((prediction - cell.targets) ** 2))

    grid = np.linspace(np.log(RANGE[0]), np.log(RANGE[1]), _GRID)
    start = int(np.argmin([risk(point) for point in grid]))
    ends = (grid[max(start - 1, 0)], grid[min(start + 1, _GRID - 1)])
    found = minimize_scalar(risk, bounds=ends, method="bounded", options={"xatol": 1e-6})
    return float(np.exp(found.x))
