"""One member in place of the panel: chosen per fold, on all items, or once for a whole suite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.combiners.competence import training_competence
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa


@dataclass(frozen=True)
class BestSingle:
    """Out-of-fold votes of the CV-best single member.

    Attributes
    ----------
    predictions : (n,) the chosen member's own votes, its abstentions kept
    choice : (n_folds,) column of the member chosen for each fold
    """

    predictions: Floats
    choice: Ints


def best_cv(votes: Floats, gold: Ints, folds: Ints, n_folds: int) -> BestSingle:
    """Per fold, the member with the highest balanced accuracy on the other folds (ties: the first column)."""
    choice = training_competence(votes, gold, folds, n_folds).argmax(axis=1)
    return BestSingle(votes[np.arange(len(votes)), choice[folds]], choice)


def oracle(votes: Floats, gold: Ints) -> int | None:
    """Column of the member with the highest kappa on all items (ties: the first); None if none is defined."""
    kappas = kappa(confusion(votes, gold))
    return None if np.isnan(kappas).all() else int(np.nanargmax(kappas))


def best_on_average(kappas: Mapping[str, Mapping[str, float | None]]) -> str | None:
    """The member with the highest mean kappa over a suite (section 2): one choice for all its benchmarks.

    Parameters
    ----------
    kappas : member kappas on all items, ``{benchmark: {member: kappa or None}}``

    Returns
    -------
    Ties go to the first by name. Members without a defined kappa on every benchmark are no candidates, as
    their means would not compare; None if no member is left.
    """
    if not kappas:
        return None
    means: dict[str, float] = {}
    for member in sorted(set.intersection(*(set(by_member) for by_member in kappas.values()))):
        values = [by_member[member] for by_member in kappas.values()]
        defined = [value for value in values if value is not None]
        if len(defined) == len(values):
            means[member] = float(np.mean(defined))
    return max(means, key=lambda member: means[member]) if means else None
