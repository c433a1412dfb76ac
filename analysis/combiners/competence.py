"""Members' competence on the training folds: the input of the weighted votes and of the CV-best choice."""

from __future__ import annotations

from analysis.arrays import Floats, Ints
from analysis.metrics.balanced_accuracy import committed_balanced_accuracy
from analysis.metrics.confusion import confusion_by_group


def training_competence(votes: Floats, gold: Ints, folds: Ints, n_folds: int) -> Floats:
    """(n_folds, k) balanced accuracy of each member over the items outside the fold that it committed on.

    0.5 where those items lack a class. ``votes`` is (n, k), ``gold`` and ``folds`` (n,).
    """
    return committed_balanced_accuracy(confusion_by_group(votes, gold, folds, n_folds).without_group())
