"""Distinct vote patterns: items with equal votes are one row with a count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools, Floats, Ints

#: 3**39 is the largest power of three that an int64 holds.
_COLUMNS_PER_CODE = 39


@dataclass(frozen=True)
class Patterns:
    """The distinct rows of a vote matrix.

    Attributes
    ----------
    rows : (P, k) float64, the distinct rows, NaN = abstained
    index : (n,) int, each item's row
    """

    rows: Floats
    index: Ints

    def count(self, groups: Ints, n_groups: int, keep: Bools | None = None) -> Floats:
        """(n_groups, P) items (those to ``keep``, or all) of each group that show each pattern."""
        size = len(self.rows)
        cells = groups * size + self.index
        cells = np.bincount(cells if keep is None else cells[keep], minlength=n_groups * size)
        return cells.reshape(n_groups, size).astype(np.float64)


def collapse(votes: Floats) -> Patterns:
    """The distinct rows of ``votes`` (n, k), in a fixed order that depends on their values alone."""
    index: Ints = np.zeros(len(votes), dtype=np.int64)
    for start in range(0, votes.shape[1], _COLUMNS_PER_CODE):
        code: Ints = np.zeros(len(votes), dtype=np.int64)
        for column in votes.T[start : start + _COLUMNS_PER_CODE]:
            code = code * 3 + np.where(np.isnan(column), 2, column).astype(np.int64)
        _, code = np.unique(code, return_inverse=True)
        _, index = np.unique(index * (code.max() + 1) + code, return_inverse=True)
    first = np.empty(index.max() + 1, dtype=np.intp)
    first[index[::-1]] = np.arange(len(votes))[::-1]
    return Patterns(votes[first], index)
