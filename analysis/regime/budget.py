"""How often a limited sample of labelled records gives the full sample's call (appendix C, Table 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.admissibility import DECLARED, Thresholds
from analysis.arrays import Bools, Floats, Ints
from analysis.patterns import collapse
from analysis.regime.coordinates import Coordinates, coordinates

#: Budgets of Table 6, in clusters: a deployer labels whole records.
BUDGETS = (10, 25, 50, 100, 200)
N_SAMPLES = 200


@dataclass(frozen=True)
class BudgetSamples:
    """R calibration samples of one budget.

    Attributes
    ----------
    budget : clusters drawn
    n_items : (R,) items of the drawn clusters
    coordinates : of each sample
    """

    budget: int
    n_items: Ints
    coordinates: Coordinates


def budget_samples(
    votes: Floats,
    gold: Ints,
    cluster: Ints,
    seed: int,
    *,
    budgets: Sequence[int] = BUDGETS,
    n_samples: int = N_SAMPLES,
    thresholds: Thresholds = DECLARED,
) -> list[BudgetSamples]:
    """Samples of every budget that does not exceed the clusters.

    The R draws of budget b are successive ``choice`` calls, without replacement, of one generator
    ``default_rng([0, seed, b])`` over the clusters ascending; all items of a drawn cluster are kept.

    Parameters
    ----------
    votes : (n, k) in the order that decides between leaders of equal kappa, NaN = abstained
    gold, cluster : (n,) labels and cluster codes 0..R-1, ascending by cluster id, each in use
    """
    # Items with equal votes and gold enter every statistic alike: their count is the weight.
    distinct = collapse(np.column_stack([votes, gold]))
    rows, labels = distinct.rows[:, :-1], distinct.rows[:, -1].astype(np.int64)
    n_clusters = int(cluster.max()) + 1
    result = []
    for budget in (b for b in budgets if b <= n_clusters):
        taken = _draws(n_clusters, budget, seed, n_samples)[:, cluster]
        sample, item = np.nonzero(taken)
        cells = sample * len(rows) + distinct.index[item]
        weights = (
            np.bincount(cells, minlength=n_samples * len(rows)).reshape(n_samples, -1).astype(np.float64)
        )
        result.append(
            BudgetSamples(budget, taken.sum(axis=1), coordinates(rows, labels, weights, thresholds.kappa))
        )
    return result


def _draws(n_clusters: int, budget: int, seed: int, n_samples: int) -> Bools:
    """(R, n_clusters) clusters that each sample takes."""
    rng = np.random.default_rng([0, seed, budget])
    taken = np.zeros((n_samples, n_clusters), dtype=np.bool_)
    for sample in taken:
        sample[rng.choice(n_clusters, budget, replace=False)] = True
    return taken
