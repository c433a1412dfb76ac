"""Latent correlations at which a drawing's votes show given error correlations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats
from analysis.estimators.error_correlation import error_correlation
from analysis.simulation.correlation import nearest_correlation
from analysis.simulation.drawing import Drawing
from analysis.simulation.normal import error_phi_slope, latent_correlation

_ITERATIONS = 60
#: Root mean squared deviation of the pairs at which the fit is good enough for single votes to do the rest.
_GOOD = 1e-3
_DAMPING = 0.7
_LONGEST_STEP = 0.3
_LEAST_SLOPE = 0.05


@dataclass(frozen=True)
class Fit:
    """A fitted drawing.

    Attributes
    ----------
    correlation : (k, k) latent correlations, positive semi-definite
    latent : (n, k) the normals
    votes : (n, k)
    deviation : root mean squared deviation of the pairs' error correlations from the targets
    """

    correlation: Floats
    latent: Floats
    votes: Floats
    deviation: float


def fit_correlation(drawing: Drawing, phi: Floats, dependence: float) -> Fit:
    """Solve for the latent correlations on the drawing itself.

    Starts at the bivariate normal integral's answer pair by pair, then steps by Newton's method on the realised
    correlations, with the integral's slope; after each step the matrix is brought back to the nearest correlation
    matrix. The best iterate is returned.
    """
    gold = drawing.items.gold
    prevalence = float(gold.mean())
    rates = drawing.rates
    correlation = nearest_correlation(latent_correlation(rates, phi, prevalence))
    best = _at(drawing, phi, correlation, dependence)
    now = best
    for _ in range(_ITERATIONS):
        if now.deviation < _GOOD:
            break
        difference = phi - error_correlation(now.votes, gold).phi[0]
        slope = np.maximum(error_phi_slope(rates, now.correlation, prevalence), _LEAST_SLOPE)
        step = np.clip(_DAMPING * difference / slope, -_LONGEST_STEP, _LONGEST_STEP)
        moved = np.clip(now.correlation + step, -1.0, 1.0)
        np.fill_diagonal(moved, 1.0)
        now = _at(drawing, phi, nearest_correlation(moved), dependence)
        if now.deviation < best.deviation:
            best = now
    return best


def _at(drawing: Drawing, phi: Floats, correlation: Floats, dependence: float) -> Fit:
    latent = drawing.latent(correlation, dependence)
    votes = drawing.votes(latent)
    realised = error_correlation(votes, drawing.items.gold).phi[0]
    return Fit(correlation, latent, votes, rms(phi - realised))


def rms(difference: Floats) -> float:
    """Root mean square over the pairs of a symmetric (k, k) difference."""
    pairs = difference[np.triu_indices(len(difference), 1)]
    return float(np.sqrt(np.mean(pairs**2)))
