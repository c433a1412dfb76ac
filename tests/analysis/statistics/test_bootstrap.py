from __future__ import annotations

import numpy as np
import pytest

from analysis.metrics.confusion import confusion_by_group
from analysis.statistics import bootstrap
from analysis.statistics.bootstrap import cluster_weights, resample
from analysis.statistics.intervals import interval, one_sided_p, p_in_words
from tests.analysis.simulate import simulate


@pytest.mark.parametrize("n_clusters", [1, 5, 37, 1000])
@pytest.mark.parametrize("block", [1, 3000, 2**18])
def test_draws_are_the_stated_stream_however_it_is_cut(n_clusters, block, monkeypatch):
    monkeypatch.setattr(bootstrap, "_BLOCK", block)
    monkeypatch.setattr(bootstrap, "_MIN_DRAWS", 1)
    at_once = np.random.default_rng(0).integers(0, n_clusters, size=(50, n_clusters))
    one_by_one = np.random.default_rng(0)
    weights = np.vstack(list(cluster_weights(n_clusters, 50)))
    assert weights.shape == (50, n_clusters)
    for row, drawn in zip(weights, at_once, strict=True):
        np.testing.assert_array_equal(one_by_one.integers(0, n_clusters, size=n_clusters), drawn)
        np.testing.assert_array_equal(row, np.bincount(drawn, minlength=n_clusters))


def test_resampled_counts_are_those_of_the_items_laid_end_to_end():
    panel = simulate(0)
    counts = confusion_by_group(panel.votes, panel.gold, panel.cluster, panel.n_clusters)
    drawn = resample(counts, 20)
    rng = np.random.default_rng(0)
    for draw in range(20):
        taken = rng.integers(0, panel.n_clusters, size=panel.n_clusters)
        index = np.concatenate([np.flatnonzero(panel.cluster == c) for c in taken])
        alone = confusion_by_group(
            panel.votes[index], panel.gold[index], np.zeros(len(index), dtype=int), 1
        ).sum()
        for field, expected in zip(drawn.fields(), alone.fields(), strict=True):
            np.testing.assert_array_equal(field[draw], expected)


def test_interval_counts_the_undefined_draws():
    draws = np.r_[np.arange(101.0), np.nan, np.nan]
    summary = interval(draws)
    assert (summary.resample_mean, summary.low, summary.high) == (50.0, 2.5, 97.5)
    assert summary.undefined_draws == 2


def test_interval_without_a_defined_draw():
    summary = interval(np.full(7, np.nan))
    assert (summary.resample_mean, summary.low, summary.high, summary.undefined_draws) == (
        None,
        None,
        None,
        7,
    )
    assert one_sided_p(np.full(7, np.nan)) is None


def test_one_sided_p_counts_zeros_and_has_no_correction():
    assert one_sided_p(np.array([-1.0, 0.0, 1.0, 2.0, np.nan])) == 0.5
    assert one_sided_p(np.ones(2000)) == 0.0


def test_p_in_words():
    assert p_in_words(0.0, 2000) == "< 1/2000"
    assert p_in_words(0.0, 1990) == "< 1/1990"
    assert p_in_words(0.012, 2000) == "0.012"
    assert p_in_words(None, 0) is None
