"""The panel's combiners on many subsets of its members at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from analysis.combiners.competence import training_competence
from analysis.combiners.encodings import imputed
from analysis.combiners.stacked import TIE
from analysis.metrics.confusion import Confusion, confusion_by_group
from analysis.panel.patterns import Patterns, collapse
from analysis.statistics.logistic import fit_logistic


@dataclass(frozen=True)
class SubsetStackers:
    """Out-of-fold verdicts of m stackers.

    Attributes
    ----------
    patterns : the distinct votes
    verdicts : (m, n_folds, P) verdict of each stacker on each pattern as an item of each fold; NaN = abstained,
        which only a fold without a fit leads to
    gradients : (m, n_folds) largest gradient component at the solution, NaN for a fold without a fit
    ones, zeros : (n_folds, P) items of each fold that show each pattern, with gold 1 and 0
    """

    patterns: Patterns
    verdicts: Floats
    gradients: Floats
    ones: Floats
    zeros: Floats

    def predictions(self, folds: Ints) -> Floats:
        """(n, m) verdicts of the items, whose folds (n,) are given."""
        return np.ascontiguousarray(self.verdicts[:, folds, self.patterns.index].T)

    def counts(self) -> Confusion:
        """Confusion counts of each stacker on all items: fields (m,), class totals (1,)."""
        flat = self.verdicts.reshape(len(self.verdicts), -1)
        ones, zeros = self.ones.ravel(), self.zeros.ravel()
        called, cleared = (flat == 1).astype(np.float64), (flat == 0).astype(np.float64)
        return Confusion(
            tp=called @ ones,
            fp=called @ zeros,
            fn=cleared @ ones,
            tn=cleared @ zeros,
            positives=ones.sum(keepdims=True),
            negatives=zeros.sum(keepdims=True),
        )


def stacked_subsets(votes: Floats, gold: Ints, folds: Ints, n_folds: int, subsets: Bools) -> SubsetStackers:
    """Cross-fit the stacker on each subset: the verdicts of ``stacked`` on those columns alone.

    Parameters
    ----------
    votes : (n, k) votes, NaN = abstained
    gold, folds : (n,) labels and fold of each item
    subsets : (m, k) members of each subset

    Returns
    -------
    A fold whose training items have one class has no fit and takes the subset's unweighted vote.
    """
    patterns = collapse(votes)
    ones = patterns.count(folds, n_folds, keep=gold == 1)
    zeros = patterns.count(folds, n_folds, keep=gold == 0)
    train_ones, train_zeros = ones.sum(axis=0) - ones, zeros.sum(axis=0) - zeros
    fitted = (train_ones.sum(axis=1) > 0) & (train_zeros.sum(axis=1) > 0)

    m, size = len(subsets), len(patterns.rows)
    verdicts = np.repeat(unweighted_subsets(patterns.rows, subsets)[:, None], n_folds, axis=1)
    gradients = np.full((m, n_folds), np.nan)
    if fitted.any():
        rows = imputed(patterns.rows)
        fits = fit_logistic(
            rows,
            np.tile(train_ones[fitted], (m, 1)),
            np.tile((train_ones + train_zeros)[fitted], (m, 1)),
            columns=np.repeat(subsets, fitted.sum(), axis=0),
        )
        verdicts[:, fitted] = (fits.margins(rows) > TIE).reshape(m, -1, size)
        gradients[:, fitted] = fits.gradients.reshape(m, -1)
    return SubsetStackers(patterns, verdicts, gradients, ones, zeros)


def unweighted_subsets(rows: Floats, subsets: Bools) -> Floats:
    """(m, P) majority of each subset's committed votes in each row (P, k); ties are 1, NaN where nobody committed."""
    members = subsets.astype(np.float64)
    committed = members @ (~np.isnan(rows)).T.astype(np.float64)
    called = members @ (rows == 1).T.astype(np.float64)
    return np.where(committed == 0, np.nan, (2 * called >= committed).astype(np.float64))


def best_cv_choices(votes: Floats, gold: Ints, folds: Ints, n_folds: int, subsets: Bools) -> Ints:
    """(m, n_folds) column of the CV-best single of each subset: ``best_cv`` on those columns alone."""
    competence = training_competence(votes, gold, folds, n_folds)
    choices: Ints = np.where(subsets[:, None], competence[None], -np.inf).argmax(axis=2)
    return choices


def chosen_counts(votes: Floats, gold: Ints, folds: Ints, choices: Ints) -> Confusion:
    """Counts on all items of the members chosen for each fold (m, n_folds): fields (m,), class totals (1,)."""
    n_folds = choices.shape[1]
    by_fold = confusion_by_group(votes, gold, folds, n_folds)
    tp, fp, fn, tn = (field[np.arange(n_folds), choices].sum(axis=1) for field in by_fold.fields()[:4])
    return Confusion(tp, fp, fn, tn, by_fold.positives.sum(axis=0), by_fold.negatives.sum(axis=0))


def chosen_votes(votes: Floats, folds: Ints, choices: Ints) -> Floats:
    """(n, m) the votes of the members chosen for each item's fold, their abstentions kept."""
    return votes[np.arange(len(votes))[:, None], choices[:, folds].T]
