from __future__ import annotations

import numpy as np
import pytest

from analysis.judgemoe.splits import split_by_cluster, split_codes, straddling
from raim.errors import InputError
from tests.analysis.judgemoe.random_cells import random_cell


def _p(n=6, m=2, k=3):
    return np.full((n, m, k), 1.0 / k)


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda p: p.__setitem__((3, 1, 0), np.nan), "non-finite"),
        (lambda p: p.__setitem__((3, 1, 0), -0.1), "negative"),
        (lambda p: p.__setitem__((3, 1, 0), 0.9), "does not sum to 1"),
        (lambda p: p.__setitem__((3, 1), 0.0), "does not sum to 1"),
    ],
)
def test_bad_mass_is_refused_with_item_and_judge(spoil, what):
    p = _p()
    spoil(p)
    with pytest.raises(InputError, match=f"item i3, judge j1.*{what}"):
        random_cell(6, 2, 3, probabilities=p)


def test_mass_of_an_absent_judge_is_not_read():
    p = _p()
    p[2, 0] = np.nan
    present = np.ones((6, 2), dtype=bool)
    present[2, 0] = False
    cell = random_cell(6, 2, 3, probabilities=p, present=present)
    assert not cell.complete
    assert np.array_equal(cell.probabilities[2, 0], [0.0, 0.0, 0.0])


def test_rounded_text_is_normalised_exactly():
    p = _p()
    p[0, 0] = [0.33333, 0.33333, 0.33333]
    assert random_cell(6, 2, 3, probabilities=p).probabilities[0, 0].sum() == pytest.approx(1.0, abs=1e-15)


def test_targets_items_and_judges_are_checked():
    for changes, what in [
        ({"targets": np.array([0.1, 2.0, 0.3, 0.1, 0.2, 0.3])}, "item i1: target 2.0"),
        ({"targets": np.array([0.1, 0.2, np.nan, 0.1, 0.2, 0.3])}, "item i2: target nan"),
        ({"items": ["a"] * 6}, "an? item occurs twice"),
        ({"judges": ["a", "a"]}, "a judge occurs twice"),
        ({"label_values": [1, 3, 2]}, "ascending"),
        ({"present": np.zeros((6, 2), dtype=bool)}, "no judge scored it"),
    ]:
        with pytest.raises(InputError, match=what):
            random_cell(6, 2, 3, **changes)


def test_labels_are_normalised_and_judges_selected():
    cell = random_cell(30, 3, 4, label_values=[0, 1, 2, 4])
    assert cell.labels.tolist() == [0.0, 0.25, 0.5, 1.0]
    swapped = cell.with_judges(["j2", "j0"])
    assert np.array_equal(swapped.probabilities[:, 1], cell.probabilities[:, 0])
    with pytest.raises(InputError, match="no judge"):
        cell.with_judges(["nobody"])


def test_items_that_no_kept_judge_saw_are_left_out():
    present = np.ones((6, 2), dtype=bool)
    present[1, 0] = False
    cell = random_cell(6, 2, 3, probabilities=_p(), present=present)
    assert cell.with_judges(["j0"]).items == ("i0", "i2", "i3", "i4", "i5")


@pytest.mark.parametrize("seed", range(20))
def test_splits_by_cluster_never_straddle_and_keep_their_shares(seed):
    rng = np.random.default_rng(seed)
    clusters = rng.integers(0, 40, 600)
    splits = split_by_cluster(clusters, seed=seed)
    assert straddling(clusters, splits) == 0
    assert np.abs(np.bincount(splits) / 600 - [0.6, 0.2, 0.2]).max() < 0.06
    assert np.array_equal(splits, split_by_cluster(clusters, seed=seed))


def test_three_clusters_give_each_split_one():
    assert sorted(split_by_cluster(np.array([0, 0, 0, 0, 0, 0, 0, 1, 2])).tolist()) == [0] * 7 + [
        1,
        2,
    ] or set(split_by_cluster(np.array([0] * 7 + [1, 2])).tolist()) == {0, 1, 2}
    with pytest.raises(InputError, match="3 clusters"):
        split_by_cluster(np.array([0, 1, 1]))


def test_given_splits_are_read_and_straddling_is_counted():
    assert split_codes(["train", "dev", "valid", "validation", "test"]).tolist() == [0, 1, 1, 1, 2]
    with pytest.raises(InputError, match="holdout"):
        split_codes(["train", "holdout"])
    assert straddling(np.array([0, 0, 1]), np.array([0, 2, 1])) == 1
