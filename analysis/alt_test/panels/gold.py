"""The humans' consensus without one of them: the gold a panel may be trained on when that one is under test."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np

from analysis.alt_test.annotations import HumanPanel
from analysis.alt_test.weighting import majority_shares
from analysis.arrays import Bools, Floats, Ints
from analysis.panel.votes import cluster_order
from analysis.statistics.folds import N_FOLDS, cluster_folds


def others_of(panel: HumanPanel, left_out: int | None) -> Bools:
    """(n, r) the labels of everybody but one annotator; of all for None."""
    given = panel.codes >= 0
    return given if left_out is None else given & (panel.who != left_out)


def clear_majority(panel: HumanPanel, left_out: int | None) -> Ints:
    """(n,) code of the majority label, -1 where it is tied or nobody else labelled the item."""
    counted = others_of(panel, left_out)
    majority = np.full(len(counted), -1, dtype=np.int64)
    some = counted.any(axis=1)
    codes = panel.codes[some]
    modal = majority_shares(codes, counted[some]) > 0.0
    low = np.where(modal, codes, np.iinfo(np.int64).max).min(axis=1)
    high = np.where(modal, codes, -1).max(axis=1)
    majority[some] = np.where(low == high, high, -1)
    return majority


def mean_label(panel: HumanPanel, left_out: int | None) -> Floats:
    """(n,) mean label, NaN where nobody else labelled the item. Raises InputError where labels are not numbers."""
    values = panel.vocabulary.numbers("the mean of the humans' labels")
    counted = others_of(panel, left_out)
    n = counted.sum(axis=1)
    means: Floats = np.where(counted, values[panel.codes], 0.0).sum(axis=1) / np.where(n > 0, n, np.nan)
    return means


def item_folds(items: tuple[Hashable, ...], cluster: Callable[[Hashable], Hashable]) -> Ints:
    """(n,) fold of each item: whole clusters, in the project's folds."""
    names = [str(cluster(item)) for item in items]
    ordered = cluster_order(names)
    position = {name: code for code, name in enumerate(ordered)}
    return cluster_folds(len(ordered), N_FOLDS)[[position[name] for name in names]]
