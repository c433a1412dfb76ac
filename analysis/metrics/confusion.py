"""Confusion counts: what every score is computed from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints


@dataclass(frozen=True)
class Confusion:
    """Counts of items by gold and verdict, as float64 arrays of whole numbers that broadcast together.

    The last axis runs over methods; earlier ones over groups, folds or draws. Whole numbers below 2**53 are
    exact, so sums of counts do not depend on their order, and scores that are equal in exact arithmetic are
    equal here.

    Attributes
    ----------
    tp, fp, fn, tn : committed items; positive = hallucinated (1)
    positives, negatives : all items of a class, abstentions included
    """

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats
    positives: Floats
    negatives: Floats

    @property
    def committed(self) -> Floats:
        """Items with a verdict."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def total(self) -> Floats:
        """All items."""
        return self.positives + self.negatives

    def sum(self) -> Confusion:
        """Counts over the whole first axis."""
        return Confusion(*(field.sum(axis=0) for field in self.fields()))

    def without_group(self) -> Confusion:
        """For each group of the first axis, the counts of all other groups: a fold's training counts."""
        return Confusion(*(field.sum(axis=0) - field for field in self.fields()))

    def fields(self) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
        """The six arrays, in the order of the attributes."""
        return self.tp, self.fp, self.fn, self.tn, self.positives, self.negatives


def confusion_by_group(predictions: Floats, gold: Ints, groups: Ints, n_groups: int) -> Confusion:
    """Counts per group and method.

    Parameters
    ----------
    predictions : (n, m) verdicts of m methods, NaN = abstained
    gold : (n,) 0 or 1
    groups : (n,) group of each item: its cluster, its fold

    Returns
    -------
    Confusion of shape (n_groups, m); ``positives`` and ``negatives`` are (n_groups, 1).
    """
    n_methods = predictions.shape[1]
    counts = np.empty((n_groups, n_methods, 2, 2), dtype=np.float64)
    base = groups * 4 + gold * 2
    for method in range(n_methods):
        verdicts = predictions[:, method]
        committed = ~np.isnan(verdicts)
        cells = base[committed] + verdicts[committed].astype(np.int64)
        counts[:, method] = np.bincount(cells, minlength=n_groups * 4).reshape(n_groups, 2, 2)
    classes = np.bincount(groups * 2 + gold, minlength=n_groups * 2).reshape(n_groups, 2).astype(np.float64)
    return Confusion(
        tp=counts[:, :, 1, 1],
        fp=counts[:, :, 0, 1],
        fn=counts[:, :, 1, 0],
        tn=counts[:, :, 0, 0],
        positives=classes[:, 1:],
        negatives=classes[:, :1],
    )


def confusion(predictions: Floats, gold: Ints) -> Confusion:
    """Counts of each of m methods over all items: fields of shape (m,), class totals (1,)."""
    return confusion_by_group(predictions, gold, np.zeros(len(gold), dtype=np.int64), 1).sum()
