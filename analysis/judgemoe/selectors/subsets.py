"""All judge subsets under uniform and covariance-aware log pools (paper, Tables 23, 31 and 51).

For six judges: 6 singles and 57 larger subsets under two weightings, 120 candidates.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.metrics.spearman import Ranking, ranking_correlation, spearman
from analysis.judgemoe.pools.covariance import least_variance_weights
from analysis.judgemoe.pools.fixed import FixedPool, Weighting, cell_covariance
from analysis.judgemoe.pools.log import log_pool, log_probabilities
from analysis.judgemoe.pools.weights import present_weights, uniform_weights
from raim.errors import InputError

#: 4,095 subsets; more judges than this need a search, not an enumeration.
MAX_JUDGES = 12

Kind: TypeAlias = Literal["single", "uniform", "cov"]


@dataclass(frozen=True)
class Candidate:
    """A subset under a weighting, with its validation Spearman and the weights that validation set."""

    judges: tuple[str, ...]
    kind: Kind
    weights: tuple[float, ...]
    validation: float

    @property
    def active(self) -> tuple[str, ...]:
        """The judges with positive weight: covariance-aware weights leave some of a subset out, exactly."""
        return tuple(judge for judge, weight in zip(self.judges, self.weights, strict=True) if weight > 0.0)

    @property
    def pool(self) -> FixedPool:
        """The candidate as a fixed log pool at temperature 1."""
        return FixedPool(self.judges, self.weights, "log")


def search_subsets(validation: Cell, weightings: Sequence[Weighting] = ("uniform", "cov")) -> list[Candidate]:
    """Every subset under every weighting, scored on the validation items; singles once, by their soft score.

    Ordered by size, then by judge order. Raises InputError for more than :data:`MAX_JUDGES` judges.
    """
    m = len(validation.judges)
    if m > MAX_JUDGES:
        raise InputError(
            f"{validation.name}: {m} judges have {2**m - 1} subsets; the search takes {MAX_JUDGES} judges or fewer"
        )
    log_p = log_probabilities(validation.probabilities)
    soft = soft_scores(validation)
    covariance = cell_covariance(validation) if m > 1 else np.eye(1)
    truth = Ranking.of(validation.targets)
    found = []
    for subset in _subsets(m):
        judges = tuple(validation.judges[j] for j in subset)
        if len(subset) == 1:
            found.append(
                Candidate(judges, "single", (1.0,), spearman(soft[:, subset[0]], validation.targets))
            )
            continue
        for weighting in weightings:
            inner = (
                uniform_weights(len(subset))
                if weighting == "uniform"
                else least_variance_weights(covariance[np.ix_(subset, subset)])
            )
            score = _score(validation, log_p, subset, inner, truth)
            found.append(Candidate(judges, weighting, tuple(inner.tolist()), score))
    return found


def best_candidate(candidates: Sequence[Candidate], *, min_size: int = 1) -> Candidate:
    """Highest validation Spearman; among equals the smallest subset, then the order of the search.

    ``min_size`` counts the judges with positive weight. Where no candidate's score is defined (constant judges or
    targets) it is the first one, whose score is then undefined as well.
    """
    eligible = [c for c in candidates if len(c.active) >= min_size]
    return max(
        eligible,
        key=lambda c: (round(float(np.nan_to_num(c.validation, nan=-np.inf)), 10), -len(c.judges)),
    )


def _subsets(m: int) -> Iterator[list[int]]:
    for size in range(1, m + 1):
        yield from (list(subset) for subset in itertools.combinations(range(m), size))


def _score(cell: Cell, log_p: Floats, subset: list[int], inner: Floats, truth: Ranking) -> float:
    weights = np.zeros(len(cell.judges))
    weights[subset] = inner
    if cell.complete:
        # Zero weights for the others: one pass over the shared tensor, no copy of a part of it.
        prediction = log_pool(log_p, weights) @ cell.labels
        return ranking_correlation(Ranking.of(prediction), truth)
    prediction = log_pool(log_p, present_weights(weights, cell.present)) @ cell.labels
    return spearman(prediction, cell.targets)
