"""The last thousandths: exchange single votes until the pairs' error correlations are the targets'."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from analysis.estimators.error_correlation import error_correlation

_MOST_SWAPS = 2000
#: Costs are compared after rounding, so that equal ones are equal on every machine and the first is taken.
_DIGITS = 12


@dataclass(frozen=True)
class Refined:
    """Votes (n, k) after ``swaps`` exchanges."""

    votes: Floats
    swaps: int


def refine(votes: Floats, gold: Ints, phi: Floats) -> Refined:
    """Exchange a member's error with one of its right verdicts on another item of the same class.

    No member's confusion table changes. Each exchange is, for the member in turn, the one that lowers the sum of
    squared deviations of its pairs' correlations most; the members take turns until none can lower its own.
    """
    votes = votes.copy()
    committed = ~np.isnan(votes)
    size = votes.shape[1]
    idle, member, swaps = 0, 0, 0
    while idle < size and swaps < _MOST_SWAPS:
        pair = _best_exchange(votes, gold, committed, phi, member)
        if pair is None:
            idle += 1
        else:
            rows = list(pair)
            votes[rows, member] = 1 - votes[rows, member]
            idle, swaps = 0, swaps + 1
        member = (member + 1) % size
    return Refined(votes, swaps)


def _best_exchange(
    votes: Floats, gold: Ints, committed: Bools, phi: Floats, member: int
) -> tuple[int, int] | None:
    """Rows of the best exchange of one member; None where none lowers the sum of squares."""
    wrong = np.where(committed, votes != gold[:, None], False).astype(np.float64)
    answered = committed.astype(np.float64)
    others = np.arange(votes.shape[1]) != member
    joint = answered[:, member] @ answered
    mine = wrong[:, member] @ answered
    theirs = answered[:, member] @ wrong
    both = wrong[:, member] @ wrong
    want = phi[member]
    now = _rounded(_cost(joint, mine, theirs, both, want)[others].sum())
    best, where = float(now), None
    for label in (0, 1):
        given = committed[:, member] & (gold == label)
        errors = np.flatnonzero(given & (wrong[:, member] == 1))
        rights = np.flatnonzero(given & (wrong[:, member] == 0))
        # Items with equal verdicts of the other members are one candidate.
        errors, rights = _distinct(votes, errors, others), _distinct(votes, rights, others)
        if not (len(errors) and len(rights)):
            continue
        total = np.zeros((len(errors), len(rights)))
        for other in np.flatnonzero(others):
            moved_mine = mine[other] - answered[errors, other][:, None] + answered[rights, other][None, :]
            moved_both = both[other] - wrong[errors, other][:, None] + wrong[rights, other][None, :]
            total += _cost(joint[other], moved_mine, theirs[other], moved_both, want[other])
        total = _rounded(total)
        place = int(total.argmin())
        if total.flat[place] < best:
            best = float(total.flat[place])
            where = int(errors[place // len(rights)]), int(rights[place % len(rights)])
    return where


def _cost(joint: Floats, mine: Floats, theirs: Floats, both: Floats, want: Floats) -> Floats:
    """Squared deviation of a pair's error correlation, as :mod:`analysis.estimators.error_correlation` defines it."""
    variance = (joint * mine - mine**2) * (joint * theirs - theirs**2)
    phi = (joint * both - mine * theirs) / np.sqrt(np.where(variance == 0, 1.0, variance))
    cost: Floats = (np.where(variance == 0, 0.0, phi) - want) ** 2
    return cost


def _distinct(votes: Floats, rows: Ints, columns: Bools) -> Ints:
    """The first row of each distinct pattern of votes, ascending."""
    patterns = np.where(np.isnan(votes[rows][:, columns]), 2.0, votes[rows][:, columns])
    _, first = np.unique(patterns, axis=0, return_index=True)
    return rows[np.sort(first)]


def _rounded(values: Floats) -> Floats:
    return np.round(values, _DIGITS)


def deviations(votes: Floats, gold: Ints, phi: Floats) -> Floats:
    """(k (k - 1) / 2) realised minus wanted error correlation of each pair."""
    difference = error_correlation(votes, gold).phi[0] - phi
    pairs: Floats = difference[np.triu_indices(len(phi), 1)]
    return pairs
