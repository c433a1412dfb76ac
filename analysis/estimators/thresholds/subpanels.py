"""Sub-panels of a benchmark's members, each with its own coordinates and scores (appendix C)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from analysis.combiners.subsets import best_cv_choices, chosen_counts, stacked_subsets
from analysis.estimators.admissibility import DECLARED
from analysis.estimators.error_correlation import error_correlation
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.statistics.folds import N_FOLDS

#: Sub-panels drawn of one size at most; sizes with fewer are taken whole.
MAX_PER_SIZE = 60
#: Beyond it the number of sub-panels of one size exceeds what the generator can draw from.
MAX_MEMBERS = 66
#: Verdicts of stackers x folds x vote patterns held at a time, at most (64 MiB an array).
_BLOCK = 2**23


@dataclass(frozen=True)
class SubPanels:
    """m sub-panels of one benchmark, all scored on the full sample.

    Attributes
    ----------
    members : (m, k) columns of each sub-panel; the first row is the full panel
    phi_bar : (m,) mean error correlation, NaN without a readable pair
    competent : (m,) members whose kappa reaches the bar
    stacked, best_cv : (m,) kappas of the cross-fitted stacker and of the CV-best single; NaN where undefined
    largest_gradient : over all fits, at the solution
    """

    members: Bools
    phi_bar: Floats
    competent: Ints
    stacked: Floats
    best_cv: Floats
    largest_gradient: float


def draw_subpanels(sizes: Iterable[int], seed: int = 0, max_per_size: int = MAX_PER_SIZE) -> list[Bools]:
    """(m, k) sub-panels for each panel size k, one generator running through all of them in order.

    Per panel: the full one, then for each size from k / 2 (rounded up, 2 at least) to k - 1 all combinations of
    columns in lexicographic order, or, of more than ``max_per_size``, the positions
    ``sorted(default_rng(seed).choice(comb(k, size), max_per_size, replace=False))``.

    Raises
    ------
    ValueError
        If a panel has more than 66 members.
    """
    rng = np.random.default_rng(seed)
    return [_of_one(size, rng, max_per_size) for size in sizes]


def _of_one(n_members: int, rng: np.random.Generator, max_per_size: int) -> Bools:
    if n_members > MAX_MEMBERS:
        raise ValueError(f"sub-panels are drawn of {MAX_MEMBERS} members at most")
    rows = [np.ones(n_members, dtype=np.bool_)]
    for size in range(max(2, math.ceil(n_members / 2)), n_members):
        total = math.comb(n_members, size)
        if total > max_per_size:
            positions = np.sort(rng.choice(total, max_per_size, replace=False)).tolist()
        else:
            positions = list(range(total))
        rows += [_combination(position, n_members, size) for position in positions]
    return np.array(rows)


def _combination(position: int, n: int, size: int) -> Bools:
    """(n,) the combination of ``size`` out of n that stands at a position of the lexicographic order."""
    chosen = np.zeros(n, dtype=np.bool_)
    for column in range(n):
        if size == 0:
            break
        with_column = math.comb(n - column - 1, size - 1)
        if position < with_column:
            chosen[column] = True
            size -= 1
        else:
            position -= with_column
    return chosen


def score_subpanels(
    votes: Floats, gold: Ints, folds: Ints, members: Bools, bar: float = DECLARED.kappa
) -> SubPanels:
    """Coordinates and scores of every sub-panel.

    Parameters
    ----------
    votes : (n, k), columns ascending by name: equal training scores of the CV-best choice go to the first
    gold, folds : (n,) labels and fold of each item
    members : (m, k) sub-panels over the same columns
    """
    pair = members[:, :, None] & members[:, None, :]
    above = np.triu(np.ones(pair.shape[1:], dtype=np.bool_), 1)
    phi = error_correlation(votes, gold).phi[0]
    read = (pair & above & ~np.isnan(phi)).reshape(len(members), -1).astype(np.float64)
    n_read = read.sum(axis=1)
    total = read @ np.nan_to_num(phi, nan=0.0).ravel()
    competent = np.nan_to_num(kappa(confusion(votes, gold)), nan=0.0) >= bar
    kappas, gradients = _stacked(votes, gold, folds, members)
    choices = best_cv_choices(votes, gold, folds, N_FOLDS, members)
    return SubPanels(
        members=members,
        phi_bar=np.where(n_read == 0, np.nan, total / np.maximum(n_read, 1.0)),
        competent=(members & competent).sum(axis=1),
        stacked=kappas,
        best_cv=kappa(chosen_counts(votes, gold, folds, choices)),
        largest_gradient=float(gradients.max()) if len(gradients) else float("nan"),
    )


def _stacked(votes: Floats, gold: Ints, folds: Ints, members: Bools) -> tuple[Floats, Floats]:
    """(m,) kappas of the stackers, and the gradients of all fits; so many at a time as bounded memory allows."""
    step = max(1, _BLOCK // (N_FOLDS * min(len(votes), 3 ** min(votes.shape[1], 30))))
    kappas, gradients = [], []
    for start in range(0, len(members), step):
        stackers = stacked_subsets(votes, gold, folds, N_FOLDS, members[start : start + step])
        kappas.append(kappa(stackers.counts()))
        gradients.append(stackers.gradients[~np.isnan(stackers.gradients)])
    return np.concatenate(kappas), np.concatenate(gradients)
