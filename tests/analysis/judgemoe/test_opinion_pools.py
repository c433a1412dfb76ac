from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.pools.covariance import error_covariance, least_variance_weights
from analysis.judgemoe.pools.fixed import FixedPool, cell_covariance, fit_pool
from analysis.judgemoe.pools.linear import linear_pool
from analysis.judgemoe.pools.log import log_pool, log_probabilities
from analysis.judgemoe.pools.weights import present_weights
from raim.errors import InputError
from tests.analysis.judgemoe.random_cells import random_cell


def plain_log_pool(p, present, weights, temperature, epsilon=1e-6):
    """One item at a time, as equation 2 reads."""
    out = np.full((len(p), p.shape[2]), np.nan)
    for i in range(len(p)):
        total = sum(w for j, w in enumerate(weights) if present[i, j])
        if total == 0:
            continue
        q = [
            np.exp(
                sum(w / total * np.log(p[i, j, k] + epsilon) for j, w in enumerate(weights) if present[i, j])
                / temperature
            )
            for k in range(p.shape[2])
        ]
        out[i] = np.array(q) / sum(q)
    return out


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("temperature", [0.7, 1.0, 1.3])
def test_log_pool_against_a_plain_loop(missing, temperature):
    cell = random_cell(50, 4, 5, missing=missing)
    weights = (0.1, 0.2, 0.3, 0.4)
    found = FixedPool(cell.judges, weights, "log", temperature).distribution(cell)
    assert found == pytest.approx(
        plain_log_pool(cell.probabilities, cell.present, weights, temperature), abs=1e-12
    )


def test_linear_pool_is_the_weighted_mean_of_soft_scores():
    cell = random_cell(50, 4, 5)
    weights = (0.1, 0.2, 0.3, 0.4)
    pool = FixedPool(cell.judges, weights, "linear")
    assert pool.predict(cell) == pytest.approx(soft_scores(cell) @ weights, abs=1e-12)
    assert pool.distribution(cell).sum(axis=1) == pytest.approx(1.0)


def test_a_pool_says_nothing_where_none_of_its_judges_is_present():
    cell = random_cell(60, 3, 4, missing=0.5)
    absent = ~cell.present[:, 0]
    assert absent.any()
    for kind in ("linear", "log"):
        # A weight of zero is no vote: what j1 says of these items is not made up into j0's opinion.
        prediction = FixedPool(("j0", "j1"), (1.0, 0.0), kind).predict(cell)
        assert np.array_equal(np.isnan(prediction), absent)


def test_judges_may_be_reordered():
    cell = random_cell(40, 4, 5, missing=0.2)
    pool = fit_pool(cell, "cov", "log")
    again = FixedPool(pool.judges[::-1], pool.weights[::-1], "log")
    assert again.predict(cell) == pytest.approx(pool.predict(cell), abs=1e-12)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(2, 7))
def test_pools_are_distributions_between_their_judges(seed, m, k):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(k), (5, m))
    weights = rng.dirichlet(np.ones(m), 5)
    linear = linear_pool(p, weights)
    assert (linear <= p.max(axis=1) + 1e-12).all()
    assert (linear >= p.min(axis=1) - 1e-12).all()
    log = log_pool(log_probabilities(p), weights)
    assert log.sum(axis=1) == pytest.approx(1.0)
    # Agreement is kept: a label that all judges rank over another, the pool ranks over it too.
    over = (p[:, :, :, None] > p[:, :, None, :]).all(axis=1)
    assert (log[:, :, None] > log[:, None, :])[over].all()


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 7), st.floats(0.0, 0.98))
def test_least_variance_weights_are_optimal(seed, m, shared):
    rng = np.random.default_rng(seed)
    common = rng.standard_normal((200, 1)) * np.sqrt(shared)
    errors = (common + np.sqrt(1 - shared) * rng.standard_normal((200, m))) * rng.uniform(0.2, 2.0, m)
    covariance = np.cov(errors.T)
    weights = least_variance_weights(covariance)
    assert weights.sum() == pytest.approx(1.0)
    assert (weights >= 0).all()
    variance = weights @ covariance @ weights
    found = minimize(
        lambda w: w @ covariance @ w,
        np.full(m, 1 / m),
        jac=lambda w: 2 * covariance @ w,
        bounds=[(0, 1)] * m,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert variance <= found.fun * (1 + 1e-4)
    # The Karush-Kuhn-Tucker conditions: equal gradient where the weight is positive, no lower one elsewhere.
    gradient = covariance @ weights
    assert gradient[weights > 1e-9] == pytest.approx(variance, rel=1e-3)
    assert (gradient >= variance * (1 - 1e-3)).all()


def test_identical_judges_share_their_weight_and_a_bad_one_gets_less():
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((2, 500))
    covariance = np.cov(np.stack([a, a, b]))
    weights = least_variance_weights(covariance)
    assert weights[0] == pytest.approx(weights[1], abs=1e-6)
    assert least_variance_weights(np.diag([1.0, 4.0])) == pytest.approx([0.8, 0.2], abs=1e-5)
    assert least_variance_weights(np.zeros((3, 3))) == pytest.approx([1 / 3] * 3)


def test_pairwise_covariance_with_absent_judges():
    rng = np.random.default_rng(3)
    errors = rng.standard_normal((300, 3)) @ np.array([[1, 0.5, 0], [0, 1, 0.3], [0, 0, 1]])
    everyone = np.ones((300, 3), dtype=bool)
    assert error_covariance(errors, everyone) == pytest.approx(np.cov(errors.T))
    present = rng.random((300, 3)) > 0.2
    found = error_covariance(np.where(present, errors, np.nan), present)
    both = present[:, 0] & present[:, 1]
    assert found[0, 1] == pytest.approx(np.cov(errors[both, 0], errors[both, 1])[0, 1], abs=1e-10)


def test_judges_that_share_no_items_are_named():
    present = np.array([[True, False, True], [False, True, True], [True, True, True]])
    with pytest.raises(InputError, match=r"random@1-5: j0 and j1 share 1 of 3 items"):
        cell_covariance(random_cell(3, 3, 5, present=present))


def test_weights_renormalise_over_those_present():
    found = present_weights(np.array([0.5, 0.3, 0.2]), np.array([[True, True, False], [False, False, False]]))
    assert found[0] == pytest.approx([0.625, 0.375, 0.0])
    assert np.isnan(found[1]).all()
