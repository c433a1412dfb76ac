from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr, wilcoxon

from analysis.judgemoe.metrics.calibration import ece
from analysis.judgemoe.statistics.cells import (
    cell_bootstrap,
    compare_cells,
    equal_cell_mean,
    sample_weighted_mean,
)
from analysis.judgemoe.statistics.clusters import bootstrap_metrics, cluster_weights, interval, two_sided_p
from analysis.judgemoe.statistics.power import cells_needed, power
from analysis.judgemoe.statistics.wilcoxon import signed_rank


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.integers(0, 10_000), st.integers(3, 18))
def test_signed_rank_is_scipys_without_ties(seed, n):
    d = np.random.default_rng(seed).standard_normal(n)
    for alternative in ("greater", "two-sided"):
        expected = wilcoxon(d, alternative=alternative, method="exact").pvalue
        assert signed_rank(d, alternative) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_signed_rank_with_ties_counts_all_sign_patterns(values):
    d = np.array([v / 10 for v in values if v != 0])
    if len(d) == 0:
        assert signed_rank(np.array(values) / 10, "greater") == 1.0
        return
    ranks = rankdata(np.abs(values := np.round(d, 10)))
    observed = ranks[values > 0].sum()
    sums = [
        sum(r for r, s in zip(ranks, signs, strict=True) if s)
        for signs in itertools.product([0, 1], repeat=len(d))
    ]
    upper = np.mean([s >= observed - 1e-9 for s in sums])
    lower = np.mean([s <= observed + 1e-9 for s in sums])
    assert signed_rank(d, "greater") == pytest.approx(upper)
    assert signed_rank(d, "two-sided") == pytest.approx(min(1.0, 2 * min(upper, lower)))


def test_cluster_weights_draw_whole_clusters():
    clusters = np.array([0, 0, 0, 5, 5, 9])
    (block,) = cluster_weights(clusters, 50, 1)
    assert block.shape == (50, 6)
    for weights in block:
        assert len(set(weights[:3])) == 1
        assert len(set(weights[3:5])) == 1
        assert weights[0] + weights[3] + weights[5] == 3


def test_draws_do_not_depend_on_the_block(monkeypatch):
    clusters = np.arange(40) // 3
    whole = np.concatenate(list(cluster_weights(clusters, 30, 1)))
    monkeypatch.setattr("analysis.judgemoe.statistics.clusters._BLOCK", 100)
    blocks = list(cluster_weights(clusters, 30, 1))
    assert len(blocks) == 15
    assert np.array_equal(np.concatenate(blocks), whole)


def test_bootstrap_draws_equal_the_scores_of_the_drawn_sample():
    rng = np.random.default_rng(2)
    y, a = rng.random((2, 60))
    clusters = np.arange(60) // 4
    draws = bootstrap_metrics({"a": a, "same": a}, y, clusters, replicates=20, seed=3)
    (block,) = cluster_weights(clusters, 20, 3)
    for replicate, weights in enumerate(block):
        rows = np.repeat(np.arange(60), weights.astype(int))
        assert draws["a"]["spearman"][replicate] == pytest.approx(
            spearmanr(a[rows], y[rows]).statistic, abs=1e-12
        )
        assert draws["a"]["mae"][replicate] == pytest.approx(np.abs(a[rows] - y[rows]).mean(), abs=1e-12)
        assert draws["a"]["ece"][replicate] == pytest.approx(ece(a[rows], y[rows]), abs=1e-12)
    # Paired: the same predictions differ by nothing in every draw.
    assert np.array_equal(draws["a"]["spearman"], draws["same"]["spearman"])


def test_interval_and_p_value():
    assert interval(np.arange(101.0)).low == pytest.approx(2.5)
    assert interval(np.full(5, np.nan)).replicates == 0
    assert two_sided_p(np.ones(199)) == pytest.approx(0.01)
    assert two_sided_p(np.array([-1.0, 1.0] * 50)) == 1.0
    assert two_sided_p(np.zeros(10)) == 1.0


def test_cell_summaries():
    scores, sizes = np.array([0.2, 0.4, np.nan]), np.array([10.0, 30.0, 1000.0])
    assert equal_cell_mean(scores) == pytest.approx(0.3)
    assert sample_weighted_mean(scores, sizes) == pytest.approx(0.35)
    assert np.isnan(equal_cell_mean(np.array([np.nan])))
    assert cell_bootstrap(np.full(6, 0.1)).low == pytest.approx(0.1)
    weighted = cell_bootstrap(np.array([0.0, 1.0]), np.array([1.0, 99.0]))
    assert (weighted.low, weighted.high) == (0.0, 1.0)


def test_compare_cells_drops_undefined_cells_in_pairs():
    found = compare_cells(np.array([0.5, np.nan, 0.7, 0.6]), np.array([0.4, 0.3, 0.6, np.nan]))
    assert (found.cells, found.positive) == (2, 2)
    assert found.difference == pytest.approx(0.1)
    assert found.p_one_sided == 0.25
    assert compare_cells(np.array([np.nan]), np.array([0.1])).cells == 0


def test_power_against_simulation():
    rng = np.random.default_rng(0)
    z = 0.05 + 0.1 * rng.standard_normal((200_000, 10))
    rejected = z.mean(axis=1) > 1.6448536269514722 * 0.1 / np.sqrt(10)
    assert power(0.05, 0.1, 10) == pytest.approx(rejected.mean(), abs=0.005)
    assert cells_needed(0.05, 0.1) == 25
    assert cells_needed(-0.01, 0.1) is None
