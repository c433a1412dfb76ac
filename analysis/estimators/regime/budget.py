"""How often a limited sample of labelled records gives the full sample's call (appendix C, Table 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.estimators.admissibility import DECLARED, Thresholds
from analysis.estimators.regime.coordinates import Coordinates, coordinates, joined
from analysis.panel.clusters import cluster_items
from analysis.panel.patterns import collapse

#: Budgets of Table 6, in clusters: a deployer labels whole records.
BUDGETS = (10, 25, 50, 100, 200)
N_SAMPLES = 200
#: Weights of samples x distinct items held at a time.
_BLOCK = 2**22


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
    items = cluster_items(cluster)
    n_clusters = len(items.sizes)
    block = max(1, _BLOCK // len(rows))
    result = []
    for budget in (b for b in budgets if b <= n_clusters):
        chosen = _draws(n_clusters, budget, seed, n_samples)
        parts = []
        for start in range(0, n_samples, block):
            part = chosen[start : start + block]
            sample, item = items.of(part)
            cells = sample * len(rows) + distinct.index[item]
            weights = np.bincount(cells, minlength=len(part) * len(rows)).reshape(len(part), -1)
            parts.append(coordinates(rows, labels, weights.astype(np.float64), thresholds.kappa))
        result.append(BudgetSamples(budget, items.sizes[chosen].sum(axis=1), joined(parts)))
    return result


def _draws(n_clusters: int, budget: int, seed: int, n_samples: int) -> Ints:
    """(R, budget) clusters that each sample takes."""
    rng = np.random.default_rng([0, seed, budget])
    return np.array([rng.choice(n_clusters, budget, replace=False) for _ in range(n_samples)])
