"""Pairwise correlation of the members' errors, and the number of independent votes a panel is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools, Floats, Ints

#: A pair is read only where both members committed on at least this many items.
MIN_JOINT = 5
#: Entries of a block of weighted commitments held at a time.
_BLOCK = 2**22


@dataclass(frozen=True)
class ErrorCorrelation:
    """Correlations on s samples of the same items.

    Attributes
    ----------
    phi : (s, k, k) Pearson correlation of error indicators, diagonal 1; NaN for a skipped pair, 0 for one in
        which a side never varies
    skipped : (s, k, k) fewer than five joint items
    constant : (s, k, k) not skipped, and one side is always right or always wrong on the joint items
    """

    phi: Floats
    skipped: Bools
    constant: Bools

    def pairs(self, values: Floats | Bools) -> Floats:
        """(s, k (k - 1) / 2) entries of a symmetric (s, k, k) array above the diagonal, as floats."""
        above = np.triu_indices(self.phi.shape[1], 1)
        return values[:, above[0], above[1]].astype(np.float64)

    def mean(self) -> Floats:
        """(s,) phi-bar, the mean over the pairs that are not skipped; NaN where there is none."""
        phi = self.pairs(self.phi)
        used = (~np.isnan(phi)).sum(axis=1)
        return np.where(used == 0, np.nan, np.nansum(phi, axis=1) / np.maximum(used, 1))


def error_correlation(votes: Floats, gold: Ints, weights: Floats | None = None) -> ErrorCorrelation:
    """phi_ij between error indicators ``1[v != y]``, each pair on the items both members committed on
    (appendix C).

    Parameters
    ----------
    votes : (n, k), NaN = abstained
    gold : (n,)
    weights : (s, n) whole number of times each sample holds each item; default: one sample, each item once.
        Items with equal votes and gold may be given once with their count as weight.
    """
    if weights is None:
        weights = np.ones((1, len(gold)))
    committed = (~np.isnan(votes)).astype(np.float64)
    errors = np.where(np.isnan(votes), 0.0, votes != gold[:, None])
    step = max(1, _BLOCK // max(1, votes.size))
    blocks = [weights[start : start + step, None, :] for start in range(0, len(weights), step)]
    # Whole numbers throughout, so that a member that never varies has a variance of exactly 0.
    joint = np.concatenate([(block * committed.T) @ committed for block in blocks])
    mine = np.concatenate([(block * errors.T) @ committed for block in blocks])
    both = np.concatenate([(block * errors.T) @ errors for block in blocks])
    return from_counts(joint, mine, both)


def from_counts(joint: Floats, mine: Floats, both: Floats) -> ErrorCorrelation:
    """The correlations of s samples from whole numbers of items, each (s, k, k).

    Parameters
    ----------
    joint : items that both members of a pair committed on
    mine : of these, the row's member's errors
    both : of these, the errors that both made
    """
    theirs = mine.transpose(0, 2, 1)
    variance = (joint * mine - mine**2) * (joint * theirs - theirs**2)

    diagonal = np.eye(joint.shape[1], dtype=np.bool_)
    skipped = (joint < MIN_JOINT) & ~diagonal
    constant = (variance == 0) & ~skipped & ~diagonal
    phi = (joint * both - mine * theirs) / np.sqrt(np.where(variance == 0, 1.0, variance))
    phi = np.where(constant, 0.0, np.where(skipped, np.nan, phi))
    return ErrorCorrelation(np.where(diagonal, 1.0, phi), skipped, constant)


def effective_votes(n_members: int, phi_bar: float) -> float:
    """Kish's n_eff = k / (1 + (k - 1) phi-bar) (appendix B); NaN where the denominator is not positive."""
    denominator = 1 + (n_members - 1) * phi_bar
    return n_members / denominator if denominator > 0 else float("nan")
