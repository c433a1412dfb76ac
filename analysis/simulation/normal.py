"""Error correlation of two members under a bivariate normal copula, and its inverse."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from analysis.arrays import Floats

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)
#: Halvings of the bracket [-1, 1] for a latent correlation.
_HALVINGS = 50


def both_below(a: Floats, b: Floats, rho: Floats) -> Floats:
    """P(X <= a, Y <= b) for standard normals X, Y of correlation rho, elementwise.

    Plackett's identity, integrated over the angle asin(rho) by 64 Gauss-Legendre nodes: within 1e-9 of the exact
    value for |rho| <= 0.99, within 1e-6 up to 1.
    """
    a, b, rho = np.broadcast_arrays(a, b, rho)
    top = np.arcsin(rho)[..., None]
    angle = top * (_NODES + 1) / 2
    a_, b_ = a[..., None], b[..., None]
    exponent = -(a_**2 + b_**2 - 2 * a_ * b_ * np.sin(angle)) / (2 * np.cos(angle) ** 2)
    integral = (np.exp(exponent) @ _WEIGHTS) * top[..., 0] / 2
    joint: Floats = np.clip(ndtr(a) * ndtr(b) + integral / (2 * np.pi), 0.0, 1.0)
    return joint


def error_phi(rates: Floats, rho: Floats, prevalence: float) -> Floats:
    """(k, k) Pearson correlation of the members' error indicators over both classes.

    Parameters
    ----------
    rates : (2, k) error rates on supported (row 0) and on hallucinated items (row 1), strictly between 0 and 1
    rho : (k, k) correlation of the normals whose lower tails are the errors, the same in both classes
    prevalence : share of hallucinated items
    """
    share = np.array([1 - prevalence, prevalence])
    cut = ndtri(rates)
    joint = np.tensordot(share, both_below(cut[:, :, None], cut[:, None, :], rho), axes=1)
    overall = share @ rates
    spread = np.sqrt(overall * (1 - overall))
    phi: Floats = (joint - np.outer(overall, overall)) / np.outer(spread, spread)
    return phi


def latent_correlation(rates: Floats, phi: Floats, prevalence: float) -> Floats:
    """(k, k) normal correlations at which the errors have the correlations ``phi`` (k, k); unit diagonal.

    A ``phi`` outside what the pair's rates can show gives the end of the range, -1 or 1. Pair by pair: the result need
    not be positive semi-definite (:func:`analysis.simulation.correlation.nearest_correlation`).
    """
    low, high = np.full_like(phi, -1.0), np.ones_like(phi)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = error_phi(rates, middle, prevalence) < phi
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    rho: Floats = (low + high) / 2
    # The ends themselves, where the bracket closed on them.
    rho = np.where(np.abs(rho) > 1 - 1e-9, np.round(rho), rho)
    np.fill_diagonal(rho, 1.0)
    return rho


def error_phi_slope(rates: Floats, rho: Floats, prevalence: float) -> Floats:
    """(k, k) derivative of :func:`error_phi` in rho: the normals' joint density at the cuts over the spreads."""
    share = np.array([1 - prevalence, prevalence])
    cut = ndtri(rates)
    a, b = cut[:, :, None], cut[:, None, :]
    # The density at correlation 1 is infinite or 0; a step of Newton's method needs a finite one.
    rest = np.maximum(1 - rho**2, 0.02)
    density = np.exp(-(a**2 - 2 * rho * a * b + b**2) / (2 * rest)) / (2 * np.pi * np.sqrt(rest))
    overall = share @ rates
    spread = np.sqrt(overall * (1 - overall))
    slope: Floats = np.tensordot(share, density, axes=1) / np.outer(spread, spread)
    return slope
