"""Appendix B.7, over random settings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from analysis.judgemoe.pools.linear import linear_pool
from analysis.judgemoe.pools.log import log_pool
from analysis.judgemoe.theory.error_floor import averaged_error_variance, error_floor
from analysis.judgemoe.theory.information import information_bound, information_gap
from analysis.judgemoe.theory.sparse import (
    dropping_helps,
    excess,
    exponent_without,
    flat_judge_hurts,
    helpful_interval,
)
from analysis.judgemoe.theory.temperature import (
    effective_exponent,
    estimate_temperature,
    optimal_temperature,
    tempered,
)
from analysis.judgemoe.theory.veto import (
    linear_pool_veto_threshold,
    log_pool_log_ratio,
    log_pool_veto_threshold,
    log_pool_vetoes,
    uniform_linear_pool_vetoes,
    uniform_log_pool_vetoes,
)
from tests.analysis.judgemoe.random_cells import random_cell

law = settings(max_examples=150, derandomize=True, deadline=None)
seeds = st.integers(0, 1_000_000)


@law
@given(seeds, st.integers(2, 7))
def test_proposition_1_soft_score_is_the_conditional_mean(seed, k):
    rng = np.random.default_rng(seed)
    values, p = np.sort(rng.random(k)), rng.dirichlet(np.ones(k))
    mean = p @ values
    variance = p @ (values - mean) ** 2
    for a in rng.random(5):
        assert p @ (values - a) ** 2 == pytest.approx(variance + (mean - a) ** 2, abs=1e-12)
    # The hard score is the Bayes action under 0-1 loss: no label is wrong less often.
    assert all(1 - p[p.argmax()] <= 1 - other + 1e-15 for other in p)


@law
@given(st.floats(0.01, 5), st.floats(0, 0.999), st.integers(1, 40))
def test_proposition_3_error_floor(variance, correlation, m):
    covariance = variance * (correlation * np.ones((m, m)) + (1 - correlation) * np.eye(m))
    w = np.full(m, 1 / m)
    assert averaged_error_variance(variance, correlation, m) == pytest.approx(w @ covariance @ w)
    assert averaged_error_variance(variance, correlation, m) >= error_floor(variance, correlation)
    assert averaged_error_variance(variance, correlation, 10**9) == pytest.approx(
        error_floor(variance, correlation), abs=1e-6
    )


@law
@given(seeds, st.integers(2, 6))
def test_proposition_4_weighted_veto_is_the_log_pools_flip(seed, m):
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.ones(4), m)
    weights = rng.dirichlet(np.ones(m))
    q = log_pool(np.log(p)[None], weights)[0]
    assert np.log(q[0] / q[1]) == pytest.approx(log_pool_log_ratio(weights, p[:, 0], p[:, 1]), abs=1e-9)
    ratios = np.log(p[:, 0] / p[:, 1])
    margin = weights @ ratios
    assume(abs(margin) > 1e-9)
    assert log_pool_vetoes(weights[0], -ratios[0], weights[1:], ratios[1:]) == (q[1] > q[0])


@law
@given(seeds, st.integers(1, 8))
def test_proposition_4_uniform_thresholds(seed, good):
    rng = np.random.default_rng(seed)
    b, a = np.sort(rng.uniform(0.05, 0.45, 2))
    weak_a, weak_b = rng.uniform(1e-4, 0.5, 2)
    rest = lambda x, y: 1 - x - y  # noqa: E731
    p = np.array([[a, b, rest(a, b)]] * good + [[weak_a, weak_b, rest(weak_a, weak_b)]])
    w = np.full(good + 1, 1 / (good + 1))
    log_q, linear_q = log_pool(np.log(p)[None], w)[0], linear_pool(p[None], w)[0]
    assume(abs(log_q[0] - log_q[1]) > 1e-9 and abs(linear_q[0] - linear_q[1]) > 1e-9)
    assert uniform_log_pool_vetoes(a, b, weak_a, weak_b, good) == (log_q[1] > log_q[0])
    assert uniform_linear_pool_vetoes(a, b, weak_a, weak_b, good) == (linear_q[1] > linear_q[0])
    assert (weak_a < log_pool_veto_threshold(a, b, weak_b, good)) == (log_q[1] > log_q[0])
    assert (weak_a < linear_pool_veto_threshold(a, b, weak_b, good)) == (linear_q[1] > linear_q[0])


@law
@given(seeds, st.integers(1, 6), st.integers(2, 7), st.floats(0.3, 3.0))
def test_proposition_6_pool_is_a_power_of_the_posterior(seed, m, k, temperature):
    rng = np.random.default_rng(seed)
    truth = rng.dirichlet(np.ones(k) * 2) * 0.99 + 0.01 / k
    tau = rng.uniform(0.3, 3.0, m)
    log_p = np.log(np.stack([tempered(truth, t) for t in tau]))[None]
    uniform = np.full(m, 1 / m)
    q = log_pool(log_p, uniform, temperature)[0]
    assert q == pytest.approx(tempered(truth, 1 / effective_exponent(tau, temperature)), abs=1e-10)
    best = optimal_temperature(tau)
    assert best == pytest.approx(np.mean(1 / tau))
    recovered = log_pool(log_p, uniform, best)[0]
    assert recovered == pytest.approx(truth, abs=1e-10)
    # Equation 22: elsewhere the squared error grows by the squared bias.
    s = np.linspace(0, 1, k)
    risk = truth @ (s - q @ s) ** 2
    variance = truth @ (s - truth @ s) ** 2
    assert risk == pytest.approx(variance + (q @ s - recovered @ s) ** 2, abs=1e-10)


def _finite_evidence(rng, m, k, states):
    """Evidence states in groups of equal expected scores: P + a direction that moves no judge's mean."""
    s = np.linspace(0, 1, k)
    direction = np.zeros(k)
    direction[:3] = [1, -2, 1]  # s is evenly spaced: total and mean stay
    p, groups = [], []
    for group in range(states):
        base = rng.dirichlet(np.ones(k) * 5, m) * 0.7 + 0.3 / k
        for _ in range(3):
            p.append(base + rng.uniform(-0.02, 0.02, (m, 1)) * direction)
            groups.append(group)
    p = np.array(p)
    means = p @ s
    assert np.ptp(means.reshape(states, 3, m), axis=1).max() < 1e-12
    return p, np.array(groups)


@law
@given(seeds, st.integers(1, 3), st.integers(3, 6))
def test_proposition_7_gap_and_bound(seed, m, k):
    rng = np.random.default_rng(seed)
    p, groups = _finite_evidence(rng, m, k, 4)
    masses = rng.dirichlet(np.ones(len(p)))
    outcomes = rng.random(len(p))
    gap = information_gap(masses, outcomes, groups)
    # Both risks directly, for outcomes y in {0, 1} with these means.
    score = np.bincount(groups, masses * outcomes) / np.bincount(groups, masses)
    risk = lambda f: masses @ (outcomes * (1 - f) ** 2 + (1 - outcomes) * f**2)  # noqa: E731
    assert gap == pytest.approx(risk(score[groups]) - risk(outcomes), abs=1e-12)
    assert gap >= 0.0
    for phi in (
        -(p * np.log(p)).sum(axis=2).mean(axis=1),
        p.max(axis=2).mean(axis=1),
        outcomes,
        rng.standard_normal(len(p)),
    ):
        assert information_bound(masses, outcomes, phi, groups) <= gap + 1e-12
    # Met with equality by the best predictor itself.
    assert information_bound(masses, outcomes, outcomes, groups) == pytest.approx(gap, abs=1e-10)


@law
@given(seeds, st.integers(1, 4))
def test_proposition_7_two_labels_have_no_gap(seed, m):
    """With K = 2 the expected score is the distribution: equal scores mean equal evidence."""
    rng = np.random.default_rng(seed)
    p = rng.random((12, m))
    distributions = np.stack([1 - p, p], axis=2)
    _, groups = np.unique(np.round(distributions @ [0.0, 1.0], 12), axis=0, return_inverse=True)
    assert information_gap(np.full(12, 1 / 12), rng.random(12), groups.ravel()) == pytest.approx(
        0.0, abs=1e-15
    )


@law
@given(seeds, st.integers(2, 8), st.floats(0.3, 3.0))
def test_proposition_8_interval(seed, m, temperature):
    tau = 1.0 / np.random.default_rng(seed).uniform(0.02, 3.0, m)
    for judge in range(m):
        full = abs(effective_exponent(tau, temperature) - 1)
        without = abs(exponent_without(tau, judge, temperature) - 1)
        assume(abs(full - without) > 1e-9)
        assert dropping_helps(tau, judge, temperature) == (without < full)


@law
@given(seeds, st.integers(2, 8))
def test_proposition_8_no_drop_helps_a_pool_that_is_right(seed, m):
    tau = 1.0 / np.random.default_rng(seed).uniform(0.05, 3.0, m)
    temperature = optimal_temperature(tau)
    assert excess(tau, temperature) == pytest.approx(0.0, abs=1e-12)
    low, high = helpful_interval(tau, temperature)
    assert high - low < 1e-10
    full = abs(effective_exponent(tau, temperature) - 1)
    assert all(abs(exponent_without(tau, judge, temperature) - 1) >= full - 1e-12 for judge in range(m))


@law
@given(seeds, st.integers(2, 8), st.floats(0.3, 3.0))
def test_corollary_1_flat_judge_in_an_under_sharpened_pool(seed, m, temperature):
    """A judge of precision 0. Far enough under T dropping it helps; just under T the pool overshoots without it."""
    tau = np.append(1.0 / np.random.default_rng(seed).uniform(0.02, 3.0, m - 1), np.inf)
    assume(excess(tau, temperature) < 0)
    limit = temperature * (2 * m - 2) / (2 * m - 1)
    mean_precision = np.mean(1 / tau)
    assume(abs(mean_precision - limit) > 1e-9)
    assert (
        dropping_helps(tau, m - 1, temperature)
        == (mean_precision < limit)
        == flat_judge_hurts(tau, temperature)
    )


@law
@given(seeds, st.integers(2, 8), st.floats(0.3, 3.0))
def test_corollary_2_weak_judges_never_hurt_an_over_sharpened_pool(seed, m, temperature):
    tau = 1.0 / np.random.default_rng(seed).uniform(0.02, 3.0, m)
    assume(excess(tau, temperature) > 1e-9)
    mean_precision = np.mean(1 / tau)
    for judge in np.flatnonzero(1 / tau < mean_precision - 1e-9):
        assert not dropping_helps(tau, judge, temperature)


def test_estimated_temperature_is_a_minimum_of_the_risk():
    cell = random_cell(400, 3, 5)
    found = estimate_temperature(cell)
    log_p = np.log(cell.probabilities + 1e-6)

    def risk(t):
        return np.mean((log_pool(log_p, np.full(3, 1 / 3), t) @ cell.labels - cell.targets) ** 2)

    assert risk(found) <= min(risk(t) for t in np.geomspace(0.05, 20, 200)) + 1e-12
