from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.metrics.calibration import ece, mae, reliability, rmse
from analysis.judgemoe.metrics.residuals import mean_residual_correlation, residual_correlations
from analysis.judgemoe.metrics.spearman import Ranking, correlations, spearman
from tests.analysis.judgemoe.random_cells import random_cell


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(0, 10_000), st.integers(3, 60), st.integers(2, 9))
def test_spearman_is_scipys_with_ties(seed, n, distinct):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, distinct, (2, n)) / 7.0
    if len(set(x)) < 2 or len(set(y)) < 2:
        assert np.isnan(spearman(x, y))
    else:
        assert spearman(x, y) == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.integers(0, 10_000))
def test_weighted_spearman_is_that_of_the_repeated_sample(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 9, (2, 40)) / 8.0
    counts = rng.integers(0, 4, 40)
    weights = np.array([counts, np.ones(40)], dtype=float)
    found, plain = correlations(Ranking.of(x).midranks(weights), Ranking.of(y).midranks(weights), weights)
    assert plain == pytest.approx(spearman(x, y))
    assert found == pytest.approx(spearmanr(np.repeat(x, counts), np.repeat(y, counts)).statistic, abs=1e-12)


def test_noise_of_the_last_digits_breaks_no_ties():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 5, (2, 200)) / 5.0
    assert spearman(x + 1e-15 * rng.standard_normal(200), y) == spearman(x, y)
    assert ece(np.clip(x + 1e-15 * rng.standard_normal(200), 0, 1), y) == pytest.approx(ece(x, y), abs=1e-12)


def test_undefined_scores_are_nan():
    assert np.isnan(spearman(np.ones(5), np.arange(5.0)))
    assert np.isnan(spearman(np.array([1.0, 2.0]), np.array([1.0, 2.0])))
    nothing = np.full(4, np.nan)
    assert np.isnan(mae(nothing, np.ones(4)))
    assert np.isnan(rmse(nothing, np.ones(4)))
    assert np.isnan(ece(nothing, np.ones(4)))


def test_items_without_a_prediction_are_left_out():
    x = np.array([0.1, np.nan, 0.3, 0.5, 0.2])
    y = np.array([0.2, 0.9, 0.3, 0.4, 0.1])
    kept = [0, 2, 3, 4]
    assert spearman(x, y) == spearman(x[kept], y[kept])
    assert mae(x, y) == pytest.approx(np.abs(x - y)[kept].mean())
    assert ece(x, y) == ece(x[kept], y[kept])


def test_ece_against_a_plain_loop():
    rng = np.random.default_rng(5)
    p, y = rng.random((2, 500))
    total = 0.0
    for b in range(10):
        inside = [i for i in range(500) if b / 10 <= p[i] < (b + 1) / 10]
        if inside:
            total += abs(p[inside].mean() - y[inside].mean()) * len(inside) / 500
    assert ece(p, y) == pytest.approx(total, abs=1e-12)
    assert ece(y, y) == 0.0


def test_the_last_bin_holds_one():
    diagram = reliability(np.array([1.0, 0.3, 0.95]), np.array([0.5, 0.2, 0.7]))
    assert diagram.counts.tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0, 2]
    assert diagram.human[9] == pytest.approx(0.6)
    assert np.isnan(diagram.predicted[0])


def test_residual_correlations_against_numpy():
    cell = random_cell(200, 3, 5)
    errors = soft_scores(cell) - cell.targets[:, None]
    expected = np.corrcoef(errors.T)
    assert residual_correlations(cell) == pytest.approx(expected)
    assert mean_residual_correlation(cell) == pytest.approx(expected[np.tril_indices(3, -1)].mean())
    assert np.isnan(mean_residual_correlation(cell.with_judges(["j0"])))


def test_residual_correlations_over_shared_items():
    cell = random_cell(300, 2, 5, missing=0.3)
    both = cell.present.all(axis=1)
    errors = (soft_scores(cell) - cell.targets[:, None])[both]
    assert mean_residual_correlation(cell) == pytest.approx(np.corrcoef(errors.T)[0, 1])
