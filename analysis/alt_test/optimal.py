"""The optimal judge of Theorem 1 (appendix E): majority vote for accuracy, mean for RMSE; its rho is 1."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from analysis.alt_test.annotations import Annotations, encode_humans
from analysis.arrays import Bools, Ints


def majority_judge(humans: Annotations, rng: np.random.Generator | None = None) -> dict[Hashable, object]:
    """``{item: most frequent label}``; a tie goes to a random label with ``rng``, else to the first in sorted order."""
    panel = encode_humans(humans)
    codes = majority_codes(panel.codes, panel.who >= 0, len(panel.vocabulary), rng)
    return {
        item: panel.vocabulary.labels[code]
        for item, code in zip(panel.items, codes.tolist(), strict=True)
        if code >= 0
    }


def mean_judge(humans: Annotations) -> dict[Hashable, float]:
    """``{item: mean label}``. Raises InputError where labels are not numbers."""
    panel = encode_humans(humans)
    values = panel.vocabulary.numbers("the mean of the labels")
    given = panel.codes >= 0
    sums, counts = np.where(given, values[panel.codes], 0.0).sum(axis=1), given.sum(axis=1)
    return {
        item: float(total / count)
        for item, total, count in zip(panel.items, sums, counts, strict=True)
        if count
    }


def majority_codes(codes: Ints, counted: Bools, n_labels: int, rng: np.random.Generator | None) -> Ints:
    """(n,) most frequent code of each row, -1 where none counts."""
    counted = counted & (codes >= 0)
    votes = np.zeros((len(codes), n_labels))
    rows, slots = np.nonzero(counted)
    np.add.at(votes, (rows, codes[rows, slots]), 1.0)
    if rng is not None:
        votes = votes + rng.uniform(0.0, 0.5, size=votes.shape)
    winners: Ints = votes.argmax(axis=1)
    return np.where(counted.any(axis=1), winners, -1)
