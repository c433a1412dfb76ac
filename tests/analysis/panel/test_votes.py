from __future__ import annotations

import numpy as np
import pytest

from analysis.panel.votes import cluster_order, require_analysable, vote_matrix
from raim.errors import InputError

NAN = float("nan")


def small(**changes):
    given = {
        "members": ["b", "A"],
        "uids": ["x", "10:neg", "2:pos"],
        "cluster_ids": ["10", "9", "10"],
        "gold": [1, 0, 1],
        "votes": [[1, 0], [NAN, 1], [0, NAN]],
    }
    return vote_matrix(**{**given, **changes})


def test_members_by_code_point_items_as_given_clusters_by_value():
    panel = small()
    assert panel.members == ("A", "b")
    assert panel.uids == ("x", "10:neg", "2:pos")
    assert panel.clusters == ("9", "10")
    assert panel.cluster.tolist() == [1, 0, 1]
    np.testing.assert_array_equal(panel.votes, [[0, 1], [1, NAN], [NAN, 0]])


def test_released_items_sort_as_strings():
    assert small(sort_items=True).uids == ("10:neg", "2:pos", "x")


@pytest.mark.parametrize(
    ("ids", "order"),
    [
        (["10", "9", "-1"], ["-1", "9", "10"]),
        ([10, 9], ["9", "10"]),
        (["10", "9", "a"], ["10", "9", "a"]),
        (["1.0", "10.0", "9.0"], ["1.0", "10.0", "9.0"]),
        (["10", "9", "²"], ["10", "9", "²"]),
    ],
)
def test_cluster_order(ids, order):
    assert cluster_order(ids) == order


def test_two_spellings_of_one_integer_are_refused():
    with pytest.raises(InputError, match="'007' and '7' are the same integer"):
        cluster_order(["7", "8", "007"])


def test_leading_zeros_are_strings_beside_text():
    assert cluster_order(["7", "007", "a"]) == ["007", "7", "a"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"members": ["A", "A"]}, "member 'A' appears 2 times"),
        ({"uids": ["x", "y", "x"]}, "item 'x' appears 2 times"),
        ({"gold": [1, 0, 2]}, "gold label"),
        ({"gold": [1, 0, NAN]}, "gold label"),
        ({"votes": [[1, 0], [NAN, 1], [0.5, NAN]]}, "a vote is neither"),
        ({"gold": [1, 0]}, "differ in number"),
    ],
)
def test_what_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        small(**changes)


def test_selected_members_keep_the_order():
    panel = small()
    assert panel.select_members(["b"]).members == ("b",)
    assert panel.select_members(["b", "A"]).members == ("A", "b")


def test_arrays_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        small().votes[0, 0] = 1


@pytest.mark.parametrize(
    ("changes", "n_folds", "message"),
    [
        ({"gold": [1, 1, 1]}, 2, "one class only .all 1."),
        ({}, 5, "2 clusters are fewer than the 5 folds"),
        ({"votes": [[1, NAN], [NAN, NAN], [0, NAN]]}, 2, "never commits to a verdict: 'A'"),
    ],
)
def test_what_no_estimator_is_defined_on(changes, n_folds, message):
    with pytest.raises(InputError, match=message):
        require_analysable(small(**changes), n_folds)
