from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from analysis.statistics.logistic import _descend, fit_logistic


def items(rng, n, d, levels=(0.0, 0.5, 1.0)):
    rows = rng.choice(levels, size=(n, d), p=[0.45, 0.1, 0.45])
    labels = (rng.random(n) < expit(rows @ rng.normal(size=d) - 0.3)).astype(float)
    labels[:2] = [0.0, 1.0]
    return rows, labels


@pytest.mark.parametrize("ridge", [1.0, 0.1, 10.0])
@pytest.mark.parametrize("seed", range(4))
def test_against_scikit_learn(seed, ridge):
    rng = np.random.default_rng(seed)
    rows, labels = items(rng, int(rng.integers(12, 400)), int(rng.integers(1, 12)))
    fits = fit_logistic(rows, labels[None], np.ones((1, len(labels))), ridge)
    model = LogisticRegression(C=1 / ridge, solver="newton-cholesky", tol=1e-12, max_iter=1000)
    model.fit(rows, labels)
    np.testing.assert_allclose(fits.coefficients[0], model.coef_[0], atol=1e-9)
    np.testing.assert_allclose(fits.intercepts[0], model.intercept_[0], atol=1e-9)
    np.testing.assert_allclose(fits.margins(rows)[0], model.decision_function(rows), atol=1e-9)


def test_many_fits_at_once_are_the_fits_alone():
    rng = np.random.default_rng(5)
    rows, labels = items(rng, 120, 5)
    totals = rng.integers(0, 4, size=(30, 120)).astype(float)
    totals[:, :2] = 1
    ones = totals * labels
    together = fit_logistic(rows, ones, totals)
    for f in range(30):
        alone = fit_logistic(rows, ones[f : f + 1], totals[f : f + 1])
        np.testing.assert_allclose(together.coefficients[f], alone.coefficients[0], atol=1e-11)
        np.testing.assert_allclose(together.intercepts[f], alone.intercepts[0], atol=1e-11)
    assert together.gradients.max() < 1e-10


def test_columns_left_out_are_columns_that_are_not_there():
    rng = np.random.default_rng(8)
    rows, labels = items(rng, 150, 6)
    columns = rng.random((20, 6)) < 0.5
    columns[0], columns[1] = False, True
    ones, totals = np.tile(labels, (20, 1)), np.ones((20, 150))
    fits = fit_logistic(rows, ones, totals, columns=columns)
    assert (fits.coefficients[~columns] == 0).all()
    assert fits.gradients.max() < 1e-10
    np.testing.assert_allclose(fits.intercepts[0], np.log(labels.sum() / (150 - labels.sum())), atol=1e-11)
    for f in range(1, 20):
        alone = fit_logistic(rows[:, columns[f]], ones[:1], totals[:1])
        np.testing.assert_allclose(fits.coefficients[f, columns[f]], alone.coefficients[0], atol=1e-11)
        np.testing.assert_allclose(fits.intercepts[f], alone.intercepts[0], atol=1e-11)


def test_counts_are_repeated_items():
    rng = np.random.default_rng(6)
    rows, labels = items(rng, 40, 3)
    times = rng.integers(1, 6, 40)
    counted = fit_logistic(rows, (labels * times)[None], times[None].astype(float))
    long_rows, long_labels = np.repeat(rows, times, axis=0), np.repeat(labels, times)
    spelled = fit_logistic(long_rows, long_labels[None], np.ones((1, len(long_labels))))
    np.testing.assert_allclose(counted.coefficients, spelled.coefficients, atol=1e-11)


@given(
    seed=st.integers(0, 10_000), n=st.integers(2, 60), d=st.integers(1, 8), scale=st.sampled_from([1.0, 30.0])
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_gradient_vanishes_whatever_the_data(seed, n, d, scale):
    rng = np.random.default_rng(seed)
    rows, labels = items(rng, n, d, levels=(0.0, scale / 2, scale))
    fits = fit_logistic(rows, labels[None], np.ones((1, n)))
    residual = expit(fits.margins(rows)[0]) - labels
    gradient = np.r_[residual.sum(), residual @ rows + fits.coefficients[0]]
    assert np.abs(gradient).max() < 2e-10


def test_blocks_of_rows_do_not_change_the_fit(monkeypatch):
    rng = np.random.default_rng(7)
    rows, labels = items(rng, 200, 4)
    whole = fit_logistic(rows, labels[None], np.ones((1, 200)))
    monkeypatch.setattr("analysis.statistics.logistic._BLOCK", 7 * 25)
    np.testing.assert_allclose(
        fit_logistic(rows, labels[None], np.ones((1, 200))).coefficients, whole.coefficients
    )


def test_blocks_of_fits_do_not_change_the_fits(monkeypatch):
    rng = np.random.default_rng(9)
    rows, labels = items(rng, 60, 3)
    totals = rng.integers(1, 4, size=(17, 60)).astype(float)
    whole = fit_logistic(rows, totals * labels, totals)
    monkeypatch.setattr("analysis.statistics.logistic._FITS_BLOCK", 5 * 60)
    blocks = fit_logistic(rows, totals * labels, totals)
    np.testing.assert_allclose(blocks.coefficients, whole.coefficients, atol=1e-12)
    np.testing.assert_array_equal(blocks.iterations, whole.iterations)


@pytest.mark.parametrize("seed", [47, 3927])
def test_a_step_that_overshoots_is_halved(seed, monkeypatch):
    """Heavy-tailed features and next to no penalty: a full Newton step raises the loss."""
    halved = []

    def descend(problems, theta, step):
        taken = theta - _descend(problems, theta, step)
        halved.append(not np.allclose(taken, step))
        return theta - taken

    monkeypatch.setattr("analysis.statistics.logistic._descend", descend)
    rng = np.random.default_rng(seed)
    n, d, scale = int(rng.integers(3, 60)), int(rng.integers(1, 4)), 10 ** rng.uniform(-1, 2)
    rows = np.exp(rng.normal(size=(n, d)) * rng.uniform(0.5, 3)) * scale * rng.choice([-1, 1], size=(n, d))
    labels = (rng.random(n) < rng.choice([0.05, 0.2, 0.5])).astype(float)
    labels[:2] = [0, 1]
    fits = fit_logistic(rows, labels[None], np.ones((1, n)), ridge=10 ** rng.uniform(-6, 0))
    assert any(halved)
    assert fits.gradients[0] < 1e-10


def test_separable_and_lopsided_data_have_a_penalised_optimum():
    rows = np.r_[np.zeros((5000, 1)), np.ones((1, 1))]
    labels = np.r_[np.zeros(5000), 1.0]
    fits = fit_logistic(rows, labels[None], np.ones((1, 5001)))
    assert fits.gradients[0] < 1e-10
    assert fits.coefficients[0, 0] > 0


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_one_class_is_refused(label):
    with pytest.raises(ValueError, match="both classes"):
        fit_logistic(np.eye(3), np.full((1, 3), label), np.ones((1, 3)))
