"""The one-sided tests: against scipy and statsmodels, and where there is no variance."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_1samp, wilcoxon
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import DescrStatsW

from analysis.alt_test.fdr import by_adjusted, by_rejections
from analysis.alt_test.significance import (
    cluster_bootstrap_tests,
    cluster_t_test,
    t_test,
    weighted_t_test,
    wilcoxon_test,
)


def bootstrap_test(d, *args, **options):
    return cluster_bootstrap_tests(d[:, None], *args, **options)[0]


def differences(seed, n):
    return np.random.default_rng(seed).choice([-1.0, 0.0, 1.0], size=n, p=[0.2, 0.6, 0.2])


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.2])
@pytest.mark.parametrize("n", [2, 30, 400])
def test_t_test_is_scipys(n, epsilon):
    d = np.r_[0.0, 1.0, differences(n, n)][: max(n, 2)]
    found, expected = t_test(d, epsilon), ttest_1samp(d, epsilon, alternative="less")
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-10)


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.2])
@pytest.mark.parametrize("n", [2, 6, 9, 14, 29])
def test_wilcoxon_is_scipys_and_flagged(n, epsilon):
    """Exact with ties up to 13 items, where scipy enumerates permutations; approximate above."""
    d = np.r_[1.0, -1.0, differences(n, n)][:n]
    found = wilcoxon_test(d, epsilon)
    expected = wilcoxon(d - epsilon, alternative="less")
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.statistic == expected.statistic
    assert found.flags == ("fewer_than_30_items",)


def test_wilcoxon_without_differences():
    found = wilcoxon_test(np.zeros(12), 0.0)
    assert (found.p_value, found.statistic) == (1.0, None)
    assert "no_difference_from_epsilon" in found.flags


def test_equal_weights_give_the_plain_t_up_to_ddof():
    """The printed s divides by the sum of the weights: t is sqrt(n / (n - 1)) times the plain one."""
    d = differences(0, 50)
    found, plain = weighted_t_test(d, np.full(50, 3.7), 0.1), t_test(d, 0.1)
    assert found.statistic == pytest.approx(plain.statistic * np.sqrt(50 / 49), rel=1e-12)
    assert (found.n_effective, found.df) == (pytest.approx(50), pytest.approx(49))


def test_weighted_t_against_statsmodels():
    """Weighted mean and spread are DescrStatsW's; n_eff is (sum w)^2 / sum w^2."""
    d, weights = differences(1, 80), np.random.default_rng(1).uniform(0.5, 4.0, 80)
    described = DescrStatsW(d, weights=weights, ddof=0)
    n = weights.sum() ** 2 / (weights**2).sum()
    found = weighted_t_test(d, weights, 0.15)
    assert found.n_effective == pytest.approx(n, rel=1e-12)
    assert found.statistic == pytest.approx((described.mean - 0.15) / (described.std / np.sqrt(n)), rel=1e-12)


def test_cluster_t_of_singletons_is_the_t_test():
    d = differences(2, 60)
    found, expected = cluster_t_test(d, np.arange(60), 0.1), ttest_1samp(d, 0.1, alternative="less")
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-10)


def test_cluster_t_is_the_t_test_of_the_sums():
    rng = np.random.default_rng(3)
    d, clusters = differences(3, 200), rng.integers(0, 35, 200)
    sums = [sum(d[clusters == c] - 0.1) for c in np.unique(clusters)]
    expected = ttest_1samp(sums, 0.0, alternative="less")
    found = cluster_t_test(d, clusters, 0.1)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.n_effective == 35


def test_cluster_t_is_near_statsmodels_robust_regression():
    """Equal cluster sizes: the cluster-robust t of an intercept, up to its small-sample factor."""
    d = differences(4, 300)
    clusters = np.repeat(np.arange(60), 5)
    fit = sm.OLS(d - 0.1, np.ones(300)).fit(cov_type="cluster", cov_kwds={"groups": clusters})
    found = cluster_t_test(d, clusters, 0.1)
    factor = np.sqrt((300 - 1) / 300)
    assert found.statistic == pytest.approx(fit.tvalues[0] / factor, rel=0.01)


def test_cluster_bootstrap_against_a_plain_loop():
    """The matrix form gives the same t* as resampling indices one draw at a time."""
    rng = np.random.default_rng(5)
    clusters = np.sort(rng.integers(0, 40, 160))
    d = differences(5, 160)
    found = bootstrap_test(d, clusters, 0.1, np.random.default_rng(9), n_resamples=300)
    present = np.unique(clusters)
    parts = [d[clusters == c] for c in present]

    def studentised(chosen, centre):
        items = np.concatenate([parts[c] for c in chosen])
        mean = items.mean()
        residuals = [parts[c].sum() - mean * len(parts[c]) for c in chosen]
        se = np.sqrt(sum(r * r for r in residuals) * len(chosen) / (len(chosen) - 1)) / len(items)
        return (mean - centre) / se

    everything = list(range(len(present)))
    observed = studentised(everything, 0.1)
    assert found.statistic == pytest.approx(observed, rel=1e-10)
    draws = np.random.default_rng(9).integers(0, len(present), size=(300, len(present)))
    t = np.array([studentised(row, d.mean()) for row in draws])
    assert found.p_value == (1 + (t <= observed).sum()) / 301


def test_cluster_bootstrap_is_near_the_cluster_t():
    d, clusters = differences(6, 400), np.repeat(np.arange(80), 5)
    bootstrap = bootstrap_test(d, clusters, 0.05, np.random.default_rng(0))
    assert bootstrap.p_value == pytest.approx(cluster_t_test(d, clusters, 0.05).p_value, abs=0.02)


@pytest.mark.parametrize("value", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.2])
def test_constant_difference(value, epsilon):
    """No variance: p is the limit 0 or 1; at the boundary, where scipy has NaN, 1."""
    d = np.full(40, value)
    expected = 0.0 if value < epsilon else 1.0
    clusters = np.repeat(np.arange(10), 4)
    results = [
        t_test(d, epsilon),
        weighted_t_test(d, np.linspace(0.1, 3.0, 40), epsilon),
        cluster_t_test(d, clusters, epsilon),
        bootstrap_test(d, clusters, epsilon, np.random.default_rng(0)),
    ]
    for result in results:
        assert (result.p_value, result.statistic) == (expected, None)
        assert "constant_difference" in result.flags


def test_equal_cluster_sums_have_no_spread():
    d = np.tile([1.0, 0.0], 20)
    clusters = np.repeat(np.arange(20), 2)
    assert cluster_t_test(d, clusters, 0.2).p_value == 1.0
    assert cluster_t_test(d, clusters, 0.7).p_value == 0.0
    assert bootstrap_test(d, clusters, 0.7, np.random.default_rng(0)).p_value == 0.0


def test_few_clusters_are_flagged():
    d = differences(7, 100)
    assert "fewer_than_30_clusters" in cluster_t_test(d, np.repeat(np.arange(10), 10), 0.1).flags
    assert cluster_t_test(d, np.arange(100), 0.1).flags == ()


@given(
    st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.001, 0.01, 1.0])), min_size=1, max_size=60),
    st.sampled_from([0.01, 0.05, 0.2]),
)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_by_is_statsmodels_fdr_by(p_values, q):
    p = np.array(p_values)
    rejected, adjusted, *_ = multipletests(p, alpha=q, method="fdr_by")
    found = by_adjusted(p)
    np.testing.assert_allclose(found, adjusted, rtol=1e-12, atol=0)
    # On the threshold itself the two divide in another order.
    clear = np.abs(adjusted - q) > 1e-12
    np.testing.assert_array_equal(by_rejections(p, q)[clear], rejected[clear])


def test_by_of_nothing():
    assert by_rejections(np.array([]), 0.05).tolist() == []
    assert by_adjusted(np.array([])).tolist() == []
