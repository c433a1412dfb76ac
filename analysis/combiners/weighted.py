"""Votes weighted by each member's own competence, taken one member at a time (section 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.combiners.competence import training_competence
from analysis.combiners.unweighted import unweighted

#: Weights summing to less than this decide nothing: the majority does (accuracy-weighted vote).
NEGLIGIBLE_WEIGHT = 1e-9
#: Competence is kept this far from 0 and 1 before its log-odds are taken.
CLIP = 1e-3
#: Sums of weights that cancel exactly leave rounding of this order; within it a vote is a tie.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class WeightedVote:
    """Out-of-fold verdicts of a weighted vote.

    Attributes
    ----------
    predictions : (n,) verdicts, NaN where nobody committed
    weights : (n_folds, k) weights, fitted outside each fold
    """

    predictions: Floats
    weights: Floats


def accuracy_weighted(votes: Floats, gold: Ints, folds: Ints, n_folds: int) -> WeightedVote:
    """Weights max(2b - 1, 0), b being the training balanced accuracy; 1 where the weighted mean is at least
    1/2.

    A tie is hallucinated. Where the committed members' weights sum to nearly nothing, the majority decides.
    """
    weights = np.maximum(2 * training_competence(votes, gold, folds, n_folds) - 1, 0.0)
    mass = _per_item(weights, folds, (~np.isnan(votes)).astype(np.float64))
    balance = _per_item(weights, folds, _signed(votes))
    predictions = np.where(
        mass <= NEGLIGIBLE_WEIGHT, unweighted(votes), (balance >= -_ROUNDING * mass).astype(np.float64)
    )
    return WeightedVote(predictions, weights)


def log_odds_weighted(votes: Floats, gold: Ints, folds: Ints, n_folds: int) -> WeightedVote:
    """Weights log(p / (1 - p)), p being b clipped to [0.001, 0.999]; 1 where sum w (2v - 1) > 0.

    A tie is supported; a member worse than chance has its vote inverted.
    """
    p = np.clip(training_competence(votes, gold, folds, n_folds), CLIP, 1 - CLIP)
    weights = np.log(p / (1 - p))
    mass = _per_item(np.abs(weights), folds, (~np.isnan(votes)).astype(np.float64))
    balance = _per_item(weights, folds, _signed(votes))
    verdict = (balance > _ROUNDING * mass).astype(np.float64)
    return WeightedVote(np.where(np.isnan(votes).all(axis=1), np.nan, verdict), weights)


def _signed(votes: Floats) -> Floats:
    """2v - 1 on committed votes, 0 on abstentions."""
    return np.where(np.isnan(votes), 0.0, 2 * votes - 1)


def _per_item(weights: Floats, folds: Ints, values: Floats) -> Floats:
    """(n,) sum over members of the weight of the item's fold times the member's value."""
    sums: Floats = (values @ weights.T)[np.arange(len(folds)), folds]
    return sums
