"""Winning rate and advantage probability by number of items: one panel of Figures 4 and 5."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from analysis.alt_test.agreement.cohen import cohen_kappa
from analysis.alt_test.procedure import DEFAULT_Q
from analysis.alt_test.results import PASSING_RATE
from analysis.alt_test.simulation.annotations import Noise, SimulatedSets, simulate_sets
from analysis.alt_test.simulation.batch import by_rejections_last_axis, nested_sums, p_values, wins
from analysis.arrays import Floats, Ints
from raim.errors import InputError

SIZES: Final = tuple(range(30, 201, 10))
EPSILONS: Final = (0.0, 0.05, 0.1, 0.2)
#: The empirical 0.9 interval of rho.
BAND: Final = (5.0, 95.0)


@dataclass(frozen=True)
class Design:
    """How a panel is simulated; the defaults are appendix C's.

    Attributes
    ----------
    n_sets, n_bootstraps : independent data sets, and samples of each
    n_items, n_humans : items and humans of a data set
    n_annotators : humans of a sample
    sizes : items of a sample, ascending
    epsilons : cost-benefit penalties
    """

    n_sets: int = 50
    n_bootstraps: int = 50
    n_items: int = 500
    n_humans: int = 6
    n_annotators: int = 3
    sizes: tuple[int, ...] = SIZES
    epsilons: tuple[float, ...] = EPSILONS
    q: float = field(default=DEFAULT_Q)

    def __post_init__(self) -> None:
        if min(self.n_sets, self.n_bootstraps) < 1:
            raise InputError("at least one data set and one bootstrap are needed")
        if not self.sizes or list(self.sizes) != sorted(set(self.sizes)) or self.sizes[0] < 30:
            raise InputError("sizes must ascend from 30 or more: below 30 items the t-test is not used")
        if self.sizes[-1] > self.n_items:
            raise InputError(f"a sample of {self.sizes[-1]} items needs as many; there are {self.n_items}")
        if not 2 <= self.n_annotators <= self.n_humans:
            raise InputError(f"from 2 to {self.n_humans} annotators can be drawn, not {self.n_annotators}")


@dataclass(frozen=True)
class Curves:
    """One panel.

    Attributes
    ----------
    noise : what was simulated
    sizes : (s,) items
    epsilons : (e,)
    winning_rate : (e, s) mean omega over the samples
    pass_rate : (e, s) share of the samples in which the judge passes
    rho : (s,) mean advantage probability
    rho_low, rho_high : (s,) its empirical 0.9 interval
    kappa : mean Cohen's kappa of the pairs of humans, on all items of each data set
    accuracy : mean agreement of the judge with the majority of the sampled humans, on the largest samples; of tied
        labels each is the majority with equal chance
    """

    noise: Noise
    sizes: tuple[int, ...]
    epsilons: tuple[float, ...]
    winning_rate: Floats
    pass_rate: Floats
    rho: Floats
    rho_low: Floats
    rho_high: Floats
    kappa: float
    accuracy: float


def simulate_curves(noise: Noise, rng: np.random.Generator, design: Design | None = None) -> Curves:
    """Simulate one panel.

    The samples of one bootstrap are nested: the items of size 30 are among those of size 40. Each size's sample is a
    uniform draw without replacement, as in the paper, so that every point has the paper's distribution; neighbouring
    points move together.
    """
    design = design or Design()
    sets = simulate_sets(noise, design.n_sets, design.n_items, design.n_humans, rng)
    humans, judge = draw_samples(sets, design, rng)
    d, judge_wins = wins(humans, judge)
    sums, squares = nested_sums(d, design.sizes), nested_sums(np.abs(d), design.sizes)
    n = np.asarray(design.sizes, dtype=np.float64)[None, :, None]
    rho = (nested_sums(judge_wins, design.sizes) / n).mean(axis=2)
    rates = np.stack(
        [
            by_rejections_last_axis(p_values(sums, squares, n, epsilon), design.q).mean(axis=2)
            for epsilon in design.epsilons
        ]
    )
    low, high = np.percentile(rho, BAND, axis=0)
    return Curves(
        noise=noise,
        sizes=design.sizes,
        epsilons=design.epsilons,
        winning_rate=rates.mean(axis=1),
        pass_rate=(rates >= PASSING_RATE).mean(axis=1),
        rho=rho.mean(axis=0),
        rho_low=low,
        rho_high=high,
        kappa=_mean_kappa(sets.humans),
        accuracy=majority_accuracy(humans, judge),
    )


def draw_samples(sets: SimulatedSets, design: Design, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Labels of random annotators on random items: (D * B, max size, annotators) and (D * B, max size), int8."""
    n_samples = design.n_sets * design.n_bootstraps
    of_set = np.repeat(np.arange(design.n_sets), design.n_bootstraps)[:, None]
    items = np.argsort(rng.random((n_samples, design.n_items)), axis=1)[:, : design.sizes[-1]]
    chosen = np.argsort(rng.random((n_samples, design.n_humans)), axis=1)[:, : design.n_annotators]
    humans = sets.humans[of_set[:, :, None], items[:, :, None], chosen[:, None, :]]
    small = np.int8 if sets.prior.shape[1] <= np.iinfo(np.int8).max else np.int64
    return humans.astype(small), sets.judge[of_set, items].astype(small)


def majority_accuracy(humans: Ints, judge: Ints) -> float:
    """Mean chance that the judge's label is the humans' majority, ties being drawn at random."""
    m = humans.shape[2]
    votes = sum((humans[:, :, [j]] == humans).astype(np.int8) for j in range(m))
    most = np.asarray(votes).max(axis=2)
    # Of m slots, those with the most votes hold each tied label ``most`` times.
    n_tied = (votes == most[:, :, None]).sum(axis=2) // most
    hit = ((humans == judge[:, :, None]) & (votes == most[:, :, None])).any(axis=2)
    return float((hit / n_tied).mean())


def _mean_kappa(humans: Ints) -> float:
    """Mean over data sets and pairs; a data set with one label throughout has none and does not count."""
    kappas = [
        kappa
        for labels in humans
        for j in range(labels.shape[1])
        for k in range(j)
        if (kappa := cohen_kappa(labels[:, j], labels[:, k])) is not None
    ]
    return float(np.mean(kappas))
