"""Simulated annotations (appendix C): a class prior, gold labels, noisy humans and a noisy judge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from raim.errors import InputError


@dataclass(frozen=True)
class Noise:
    """What is simulated.

    Attributes
    ----------
    categories : K
    human : eta_h, the probability that a human's label is drawn from the prior instead of being gold
    judge : eta_f
    """

    categories: int
    human: float
    judge: float

    def __post_init__(self) -> None:
        if self.categories < 2:
            raise InputError(f"at least 2 categories are needed, not {self.categories}")
        for name, value in (("human", self.human), ("judge", self.judge)):
            if not 0.0 <= value <= 1.0:
                raise InputError(f"the {name} noise must lie between 0 and 1, not {value!r}")


@dataclass(frozen=True)
class SimulatedSets:
    """D independent data sets.

    Attributes
    ----------
    prior : (D, K) class priors
    gold : (D, n) gold labels
    humans : (D, n, m) labels of the humans
    judge : (D, n) labels of the judge
    """

    prior: Floats
    gold: Ints
    humans: Ints
    judge: Ints


def simulate_sets(
    noise: Noise, n_sets: int, n_items: int, n_humans: int, rng: np.random.Generator
) -> SimulatedSets:
    """Priors from Dirichlet(1, ..., 1), gold from the prior; a label is gold or, with chance eta, from the prior."""
    prior = rng.dirichlet(np.ones(noise.categories), size=n_sets)
    edges = prior.cumsum(axis=1)
    # The last edge may round to less than 1.
    edges[:, -1] = 1.0

    def from_prior(*shape: int) -> Ints:
        uniform = rng.random((n_sets, *shape))
        axes = (slice(None), *(None,) * len(shape))
        # Of K edges, those below the uniform number count up to the category.
        labels = np.zeros(uniform.shape, dtype=np.int64)
        for k in range(noise.categories - 1):
            labels += uniform > edges[:, k][axes]
        return labels

    gold = from_prior(n_items)
    humans = np.where(
        rng.random((n_sets, n_items, n_humans)) < noise.human, from_prior(n_items, n_humans), gold[:, :, None]
    )
    judge = np.where(rng.random((n_sets, n_items)) < noise.judge, from_prior(n_items), gold)
    return SimulatedSets(prior, gold, humans, judge)


def expected_kappa(human_noise: float) -> float:
    """Cohen's kappa of two such humans in the limit: ``(1 - eta_h)^2``, whatever the prior.

    Both keep gold with probability ``(1 - eta_h)^2``; otherwise they agree as chance would.
    """
    return (1.0 - human_noise) ** 2


def noise_of_kappa(kappa: float) -> float:
    """The human noise at which :func:`expected_kappa` is ``kappa``. Raises InputError outside [0, 1]."""
    if not 0.0 <= kappa <= 1.0:
        raise InputError(f"the kappa among humans must lie between 0 and 1, not {kappa!r}")
    return float(1.0 - np.sqrt(kappa))


def noise_of_accuracy(accuracy: float, categories: int) -> float:
    """The judge noise at which its expected accuracy against gold is ``accuracy``.

    A noisy label hits gold with probability ``sum_k pi_k^2``, in expectation over the Dirichlet prior ``2 / (K + 1)``.

    Raises
    ------
    InputError
        If the accuracy is above 1 or below what pure noise reaches.
    """
    chance = 2.0 / (categories + 1.0)
    if not chance <= accuracy <= 1.0:
        raise InputError(
            f"the judge's accuracy must lie between {chance:.3f} (pure noise with {categories} categories) and 1, "
            f"not {accuracy!r}"
        )
    return float((1.0 - accuracy) / (1.0 - chance))
