"""The agreement identity: two binary votes agree exactly when both are right or both are wrong (appendix C)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.estimators.error_correlation import MIN_JOINT


@dataclass(frozen=True)
class Agreement:
    """Mean pairwise agreement, of the votes, which needs no gold, and of the errors.

    Attributes
    ----------
    votes, errors : means over the pairs read; NaN without one
    pairs : pairs with at least five joint items, the others being skipped as for phi
    """

    votes: float
    errors: float
    pairs: int


def agreement(votes: Floats, gold: Ints) -> Agreement:
    """Both rates on votes (n, k), NaN = abstained, each pair on the items both members committed on."""
    committed = (~np.isnan(votes)).astype(np.float64)
    errors = np.where(np.isnan(votes), np.nan, (votes != gold[:, None]).astype(np.float64))
    joint = committed.T @ committed
    above = np.triu_indices(votes.shape[1], 1)
    read = joint[above] >= MIN_JOINT
    if not read.any():
        return Agreement(np.nan, np.nan, 0)
    rates = [(_agreeing(values) / np.maximum(joint, 1.0))[above][read].mean() for values in (votes, errors)]
    return Agreement(float(rates[0]), float(rates[1]), int(read.sum()))


def _agreeing(values: Floats) -> Floats:
    """(k, k) items on which two columns of 1, 0 and NaN are equal."""
    ones, zeros = (values == 1).astype(np.float64), (values == 0).astype(np.float64)
    return np.asarray(ones.T @ ones + zeros.T @ zeros, dtype=np.float64)
