from __future__ import annotations

import numpy as np
import pytest

from analysis.panel.patterns import collapse


@pytest.mark.parametrize("n_members", [1, 4, 39, 40, 95])
def test_rows_and_index_give_the_votes_back(n_members):
    rng = np.random.default_rng(n_members)
    base = rng.choice([0.0, 1.0, np.nan], size=(12, n_members))
    votes = base[rng.integers(0, 12, 300)]
    patterns = collapse(votes)
    np.testing.assert_array_equal(patterns.rows[patterns.index], votes)
    assert len(patterns.rows) == len({tuple(np.where(np.isnan(row), 2, row)) for row in votes})


def test_rows_do_not_depend_on_the_items_order():
    rng = np.random.default_rng(0)
    votes = rng.choice([0.0, 1.0, np.nan], size=(200, 45))
    np.testing.assert_array_equal(collapse(votes).rows, collapse(votes[rng.permutation(200)]).rows)


def test_counts_by_group():
    votes = np.array([[1.0], [0.0], [1.0], [np.nan], [1.0]])
    patterns = collapse(votes)
    groups = np.array([0, 0, 1, 1, 1])
    counts = patterns.count(groups, 2)
    for row, pattern in enumerate(patterns.rows[:, 0]):
        same = np.isnan(votes[:, 0]) if np.isnan(pattern) else votes[:, 0] == pattern
        assert counts[:, row].tolist() == [np.sum(same & (groups == g)) for g in (0, 1)]
    assert patterns.count(groups, 2, keep=groups == 1).sum(axis=1).tolist() == [0, 3]
