"""The copula's integrals and correlation matrices against scipy, statsmodels and samples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from statsmodels.stats.correlation_tools import corr_nearest

from analysis.simulation.correlation import nearest_correlation, symmetric_root
from analysis.simulation.normal import both_below, error_phi, error_phi_slope, latent_correlation

rate = st.floats(0.02, 0.98)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-0.99, 0.99))
def test_joint_probability_against_scipy(a: float, b: float, rho: float) -> None:
    exact = multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([a, b])
    assert both_below(np.array(a), np.array(b), np.array(rho)) == pytest.approx(exact, abs=1e-9)


def test_joint_probability_at_the_ends() -> None:
    a, b = np.array([0.3, -1.0]), np.array([0.5, 2.0])
    one = both_below(a, b, np.array(1.0))
    minus = both_below(a, b, np.array(-1.0))
    below_a, below_b = (multivariate_normal().cdf(x) for x in (a, b))
    assert one == pytest.approx(np.minimum(below_a, below_b), abs=1e-6)
    assert minus == pytest.approx(np.maximum(0, below_a + below_b - 1), abs=1e-6)


def test_error_phi_against_a_sample() -> None:
    """Two classes with their own rates: the correlation over both is what a large sample shows."""
    rng = np.random.default_rng(1)
    rates = np.array([[0.1, 0.4], [0.5, 0.2]])
    rho, prevalence, n = 0.6, 0.3, 400_000
    gold = (rng.random(n) < prevalence).astype(int)
    latent = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=n)
    uniform = np.column_stack([np.argsort(np.argsort(column)) / n for column in latent.T])
    wrong = uniform < rates[gold]
    phi = error_phi(rates, np.array([[1.0, rho], [rho, 1.0]]), prevalence)
    assert phi[0, 1] == pytest.approx(np.corrcoef(wrong.T.astype(float))[0, 1], abs=0.006)


@settings(derandomize=True, deadline=None, max_examples=15)
@given(rate, rate, rate, rate, st.floats(-0.95, 0.95), st.floats(0.05, 0.95))
def test_latent_correlation_inverts_error_phi(
    a: float, b: float, c: float, d: float, rho: float, prevalence: float
) -> None:
    rates = np.array([[a, b], [c, d]])
    matrix = np.array([[1.0, rho], [rho, 1.0]])
    phi = error_phi(rates, matrix, prevalence)
    np.fill_diagonal(phi, 1.0)
    again = latent_correlation(rates, phi, prevalence)
    assert error_phi(rates, again, prevalence)[0, 1] == pytest.approx(phi[0, 1], abs=1e-7)
    assert again[0, 0] == 1.0


def test_out_of_reach_correlations_end_at_the_ends() -> None:
    rates = np.array([[0.05, 0.5], [0.05, 0.5]])
    for phi, end in ((0.9, 1.0), (-0.9, -1.0)):
        target = np.array([[1.0, phi], [phi, 1.0]])
        assert latent_correlation(rates, target, 0.5)[0, 1] == end


def test_slope_is_the_derivative() -> None:
    rates = np.array([[0.1, 0.4, 0.3], [0.5, 0.2, 0.3]])
    rho = np.array([[1.0, 0.3, -0.2], [0.3, 1.0, 0.5], [-0.2, 0.5, 1.0]])
    off = ~np.eye(3, dtype=bool)
    step = 1e-5
    difference = (error_phi(rates, rho + step * off, 0.4) - error_phi(rates, rho - step * off, 0.4)) / (
        2 * step
    )
    assert error_phi_slope(rates, rho, 0.4)[off] == pytest.approx(difference[off], rel=1e-5)


@pytest.mark.filterwarnings("ignore::statsmodels.tools.sm_exceptions.IterationLimitWarning")
@settings(derandomize=True, deadline=None, max_examples=8)
@given(st.integers(0, 10_000), st.integers(2, 8))
def test_nearest_correlation_is_one_and_no_farther_than_statsmodels(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.uniform(-1, 1, (size, size))
    matrix = (matrix + matrix.T) / 2
    np.fill_diagonal(matrix, 1.0)
    found = nearest_correlation(matrix)
    assert np.linalg.eigvalsh(found)[0] > -1e-8
    assert found.diagonal() == pytest.approx(np.ones(size), abs=1e-9)
    other = corr_nearest(matrix, threshold=1e-12, n_fact=1000)
    assert np.linalg.norm(found - matrix) <= np.linalg.norm(other - matrix) + 1e-6


def test_a_correlation_matrix_is_its_own_nearest_and_the_root_squares_to_it() -> None:
    rng = np.random.default_rng(3)
    matrix = np.corrcoef(rng.normal(size=(5, 40)))
    assert nearest_correlation(matrix) == pytest.approx(matrix, abs=1e-12)
    singular = np.ones((4, 4))
    for one in (matrix, singular):
        assert symmetric_root(one) @ symmetric_root(one) == pytest.approx(one, abs=1e-9)
