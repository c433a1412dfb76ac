"""Dawid-Skene: members' reliability and the items' labels by expectation-maximisation, without gold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from analysis.arrays import Floats
from analysis.panel.patterns import collapse


@dataclass(frozen=True)
class Setting:
    """How the expectation-maximisation is regularised and stopped.

    Attributes
    ----------
    floor : expected counts below this are raised to it before they are normalised
    smoothing : added to every expected count
    tolerance : stop once no posterior moves by this much or more
    max_iterations : give up after as many, reported as not converged
    min_iterations : do not stop before
    """

    floor: float
    smoothing: float
    tolerance: float
    max_iterations: int
    min_iterations: int


#: Run to convergence.
DEFAULT = Setting(floor=1e-12, smoothing=0.0, tolerance=1e-10, max_iterations=10_000, min_iterations=1)
#: As the paper's release runs it, for its tables.
PUBLISHED = Setting(floor=0.0, smoothing=1e-9, tolerance=1e-6, max_iterations=100, min_iterations=2)


@dataclass(frozen=True)
class DawidSkene:
    """A fit on all items.

    Attributes
    ----------
    predictions : (n,) 1 where the posterior is at least 1/2; every item has one
    posteriors : (n,) probability of hallucinated
    prior : probability of hallucinated
    confusion : (2, k, 2) probability that a member answers [.., .., 0 or 1] when the latent label is [0 or 1]
    iterations, converged : how the iteration ended
    last_change : largest move of a posterior in the last iteration
    """

    predictions: Floats
    posteriors: Floats
    prior: float
    confusion: Floats
    iterations: int
    converged: bool
    last_change: float


def dawid_skene(votes: Floats, setting: Setting = DEFAULT) -> DawidSkene:
    """Fit once on all items; missing votes (NaN) are skipped.

    The posterior of an item starts at its mean committed vote (0.5 if nobody committed). Items with equal
    votes have equal posteriors at every iteration, so the distinct rows with their counts give the same fit.
    """
    patterns = collapse(votes)
    rows = patterns.rows
    count = np.bincount(patterns.index, minlength=len(rows)).astype(np.float64)
    answered = np.stack([rows == 0, rows == 1], axis=2).reshape(len(rows), -1).astype(np.float64)
    committed = answered.sum(axis=1)
    posterior = np.where(committed == 0, 0.5, (rows == 1).sum(axis=1) / np.maximum(committed, 1.0))

    iteration, change, converged = 0, np.inf, False
    prior, confusion = np.empty(2), np.empty((2, rows.shape[1], 2))
    while iteration < setting.max_iterations and not converged:
        iteration += 1
        mass = np.stack([(1 - posterior) * count, posterior * count])
        prior = _normalised(mass.sum(axis=1) / count.sum(), setting)
        confusion = _normalised((mass @ answered).reshape(2, -1, 2), setting)
        odds = np.log(confusion[1]) - np.log(confusion[0])
        updated = expit(np.log(prior[1]) - np.log(prior[0]) + answered @ odds.reshape(-1))
        change = float(np.abs(updated - posterior).max())
        posterior = updated
        converged = iteration >= setting.min_iterations and change < setting.tolerance

    posteriors = posterior[patterns.index]
    return DawidSkene(
        predictions=(posteriors >= 0.5).astype(np.float64),
        posteriors=posteriors,
        prior=float(prior[1]),
        confusion=confusion,
        iterations=iteration,
        converged=converged,
        last_change=change,
    )


def _normalised(counts: Floats, setting: Setting) -> Floats:
    """Regularised counts as probabilities over the last axis."""
    kept = np.maximum(counts, setting.floor) + setting.smoothing
    normalised: Floats = kept / kept.sum(axis=-1, keepdims=True)
    return normalised
