"""The two coordinates of a panel on samples of its items: competence spread and mean error correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from analysis.estimators.admissibility import DECLARED, Thresholds
from analysis.estimators.error_correlation import error_correlation
from analysis.metrics.confusion import Confusion
from analysis.metrics.kappa import kappa


@dataclass(frozen=True)
class Coordinates:
    """Coordinates of s samples of the same items.

    Attributes
    ----------
    phi_bar : (s,) mean error correlation over the pairs with five joint items; NaN without such a pair
    kappas : (s, k) members' kappas, NaN where undefined (a constant member among them)
    competent : (s,) members whose kappa reaches the bar
    excess : (s,) sum over members of max(0, kappa - bar), the continuous companion of the count
    leader : (s,) column of the member with the highest kappa; ties go to the first column
    """

    phi_bar: Floats
    kappas: Floats
    competent: Ints
    excess: Floats
    leader: Ints

    def admissible(self, thresholds: Thresholds = DECLARED) -> Bools:
        """(s,) the call; without a readable pair there is no evidence of decorrelated errors, and it is False."""
        required = thresholds.required(self.kappas.shape[1])
        return (self.competent >= required) & (self.phi_bar <= thresholds.phi)


def coordinates(
    votes: Floats, gold: Ints, weights: Floats | None = None, bar: float = DECLARED.kappa
) -> Coordinates:
    """Coordinates of every sample (appendix C).

    Parameters
    ----------
    votes : (n, k), NaN = abstained; the order of the columns decides between leaders of equal kappa
    gold : (n,)
    weights : (s, n) whole number of times each sample holds each item; default: one sample, each item once.
        Items with equal votes and gold may be given once with their count as weight.
    bar : competence bar kappa_0

    Returns
    -------
    An undefined kappa (fewer than two committed items, one gold class, a constant member) counts as 0.
    """
    if weights is None:
        weights = np.ones((1, len(gold)))
    kappas = kappa(_counts(votes, gold, weights), constant_undefined=True)
    scored = np.nan_to_num(kappas, nan=0.0)
    return Coordinates(
        phi_bar=error_correlation(votes, gold, weights).mean(),
        kappas=kappas,
        competent=(scored >= bar).sum(axis=1),
        excess=np.maximum(0.0, scored - bar).sum(axis=1),
        leader=scored.argmax(axis=1),
    )


def joined(parts: Sequence[Coordinates]) -> Coordinates:
    """Coordinates of several batches of samples, one after the other."""
    return Coordinates(
        phi_bar=np.concatenate([part.phi_bar for part in parts]),
        kappas=np.concatenate([part.kappas for part in parts]),
        competent=np.concatenate([part.competent for part in parts]),
        excess=np.concatenate([part.excess for part in parts]),
        leader=np.concatenate([part.leader for part in parts]),
    )


def _counts(votes: Floats, gold: Ints, weights: Floats) -> Confusion:
    """Confusion counts of each member on each sample: fields (s, k), class totals (s, 1)."""
    called, cleared = (votes == 1).astype(np.float64), (votes == 0).astype(np.float64)
    ones, zeros = weights * gold, weights * (1 - gold)
    return Confusion(
        tp=ones @ called,
        fp=zeros @ called,
        fn=ones @ cleared,
        tn=zeros @ cleared,
        positives=ones.sum(axis=1, keepdims=True),
        negatives=zeros.sum(axis=1, keepdims=True),
    )
