"""A fixed pool: which judges, with which weights, pooled how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.pools.covariance import error_covariance, least_variance_weights
from analysis.judgemoe.pools.linear import linear_pool
from analysis.judgemoe.pools.log import log_pool, log_probabilities
from analysis.judgemoe.pools.weights import present_weights, uniform_weights
from raim.errors import InputError

PoolKind: TypeAlias = Literal["linear", "log"]
Weighting: TypeAlias = Literal["uniform", "cov"]


@dataclass(frozen=True)
class FixedPool:
    """The same weights for every item. ``weights`` stand beside ``judges``; the temperature is the log pool's."""

    judges: tuple[str, ...]
    weights: tuple[float, ...]
    kind: PoolKind
    temperature: float = 1.0

    def distribution(self, cell: Cell) -> Floats:
        """(n, K) pooled distributions; NaN rows where none of the pool's weighted judges is present."""
        index = [cell.judges.index(judge) for judge in self.judges]
        present = cell.present[:, index]
        weights = np.array(self.weights)
        spread = weights if present.all() else present_weights(weights, present)
        chosen = (
            cell.probabilities if index == list(range(len(cell.judges))) else cell.probabilities[:, index]
        )
        if self.kind == "linear":
            return linear_pool(chosen, spread)
        return log_pool(log_probabilities(chosen), spread, self.temperature)

    def predict(self, cell: Cell) -> Floats:
        """(n,) expected score of the pooled distribution (equation 3)."""
        return self.distribution(cell) @ cell.labels


def fit_weights(cell: Cell, weighting: Weighting) -> Floats:
    """(m,) uniform weights, or covariance-aware ones from this cell's errors (pass the validation items)."""
    if weighting == "uniform":
        return uniform_weights(len(cell.judges))
    return least_variance_weights(cell_covariance(cell))


def cell_covariance(cell: Cell) -> Floats:
    """(m, m) covariance of the judges' errors on a cell; InputError names two judges that share too few items."""
    shared = cell.present.T.astype(np.int64) @ cell.present
    if shared.min() < 2:
        a, b = (cell.judges[j] for j in np.unravel_index(shared.argmin(), shared.shape))
        raise InputError(
            f"{cell.name}: {a} and {b} share {shared.min()} of {len(cell.items)} items, and covariance-aware weights "
            "need two items or more that each pair of judges both scored; leave one of them out"
        )
    return error_covariance(soft_scores(cell) - cell.targets[:, None], cell.present)


def fit_pool(cell: Cell, weighting: Weighting, kind: PoolKind, temperature: float = 1.0) -> FixedPool:
    """The pool of all judges of a cell, its weights set on that cell."""
    return FixedPool(cell.judges, tuple(fit_weights(cell, weighting).tolist()), kind, temperature)
