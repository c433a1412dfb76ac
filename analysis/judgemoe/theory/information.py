"""Proposition 7: what distributions know beyond expected scores, and a lower bound on it."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats, Ints


def information_gap(masses: Floats, outcomes: Floats, groups: Ints) -> float:
    """Score risk less distribution risk over a finite set of evidence states (equation 23).

    Parameters
    ----------
    masses : (s,) probability of each evidence state P.
    outcomes : (s,) g*(P) = E[y | P].
    groups : (s,) code of the score vector mu(P); states with equal scores share one.
    """
    totals = np.bincount(groups, masses)
    means = np.bincount(groups, masses * outcomes) / np.where(totals > 0, totals, 1.0)
    return float(masses @ (outcomes - means[groups]) ** 2)


def information_bound(masses: Floats, outcomes: Floats, feature: Floats, groups: Ints) -> float:
    """Lower bound of the gap from one auxiliary feature phi(P) (equation 24); groups where it is constant add nothing.

    On data, ``masses`` are 1/n, ``outcomes`` the targets themselves and ``groups`` bins of the expected scores: by the
    tower property the covariance with y is that with E[y | P].
    """
    totals = np.bincount(groups, masses)
    safe = np.where(totals > 0, totals, 1.0)
    y = outcomes - (np.bincount(groups, masses * outcomes) / safe)[groups]
    phi = feature - (np.bincount(groups, masses * feature) / safe)[groups]
    covariance = np.bincount(groups, masses * y * phi) / safe
    variance = np.bincount(groups, masses * phi * phi) / safe
    informative = variance > 1e-14
    shares = np.zeros_like(covariance)
    shares[informative] = covariance[informative] ** 2 / variance[informative]
    return float(totals @ shares)
