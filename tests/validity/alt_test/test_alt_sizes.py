"""How often the tests reject a true hypothesis, at its boundary E[d] = epsilon and level 0.05.

``pytest -m validity -s`` prints the measured rates; docs/alt_test.md quotes them.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.alt_test.significance import (
    cluster_bootstrap_tests,
    cluster_t_test,
    t_test,
    weighted_t_test,
    wilcoxon_test,
)
from tests.validity.alt_test.clustered import differences, true_mean

pytestmark = pytest.mark.validity

N_SETS = 4_000


def bootstrap_test(d, *args, **options):
    return cluster_bootstrap_tests(d[:, None], *args, **options)[0]


def rate(p_values):
    return float((np.array(list(p_values)) <= 0.05).mean())


def test_true_mean_is_the_simulated_one():
    d = differences(np.random.default_rng(0), 50, 4_000, 10)
    assert d.mean() == pytest.approx(true_mean(), abs=0.002)


@pytest.mark.parametrize(("documents", "items"), [(12, 20), (30, 10), (60, 5), (100, 10)])
def test_plain_exceeds_its_level_on_clustered_data_and_robust_does_not(documents, items):
    """The judge's errors come by document. The plain test rejects at about twice its level and more; the cluster
    bootstrap keeps it; the t-test on cluster sums needs about 100 documents to come near."""
    d = differences(np.random.default_rng(1), N_SETS, documents, items)
    clusters, epsilon = np.repeat(np.arange(documents), items), true_mean()
    plain = rate(t_test(x, epsilon).p_value for x in d)
    cluster_t = rate(cluster_t_test(x, clusters, epsilon).p_value for x in d)
    bootstrap = rate(
        bootstrap_test(x, clusters, epsilon, np.random.default_rng(i), n_resamples=999).p_value
        for i, x in enumerate(d[:2_000])
    )
    print(
        f"\n{documents} documents of {items}: plain {plain:.3f}, cluster t {cluster_t:.3f}, bootstrap {bootstrap:.3f}"
    )
    assert plain > 0.08
    assert bootstrap <= 0.065
    assert cluster_t < plain
    if documents >= 100:
        assert cluster_t <= 0.065


def test_independent_items():
    """Without clusters all three agree, near the level."""
    d = differences(np.random.default_rng(2), N_SETS, 300, 1)
    epsilon, clusters = true_mean(), np.arange(300)
    for test in (
        lambda x, i: t_test(x, epsilon),
        lambda x, i: cluster_t_test(x, clusters, epsilon),
    ):
        assert rate(test(x, i).p_value for i, x in enumerate(d)) == pytest.approx(0.05, abs=0.015)
    bootstrap = rate(
        bootstrap_test(x, clusters, epsilon, np.random.default_rng(i), n_resamples=499).p_value
        for i, x in enumerate(d[:1_000])
    )
    assert bootstrap == pytest.approx(0.05, abs=0.025)


@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("shares", [(0.2, 0.7, 0.1), (0.35, 0.4, 0.25)])
def test_t_test_holds_its_level_where_both_sides_win(n, shares):
    d = np.random.default_rng(3).choice([1.0, 0.0, -1.0], size=(N_SETS, n), p=shares)
    measured = rate(t_test(x, shares[0] - shares[2]).p_value for x in d)
    print(f"\nt, n = {n}, human better {shares[0]}, judge better {shares[2]}: {measured:.3f}")
    assert measured == pytest.approx(0.05, abs=0.02)


def test_t_test_of_one_sided_differences_does_not():
    """The judge never wins and mostly ties: d is skewed, and 30 items are too few for the t-test."""
    shares = (0.1, 0.9, 0.0)
    for n, low, high in ((30, 0.15, 0.25), (200, 0.08, 0.13)):
        d = np.random.default_rng(4).choice([1.0, 0.0, -1.0], size=(N_SETS, n), p=shares)
        measured = rate(t_test(x, 0.1).p_value for x in d)
        # Each item a cluster of its own: the studentised bootstrap sees the skewness.
        bootstrap = rate(
            bootstrap_test(x, np.arange(n), 0.1, np.random.default_rng(i), n_resamples=499).p_value
            for i, x in enumerate(d[:1_500])
        )
        print(f"\nn = {n}, human better 0.1, judge never: t {measured:.3f}, bootstrap {bootstrap:.3f}")
        assert low < measured < high
        assert bootstrap <= 0.065


@pytest.mark.parametrize("shares", [(0.2, 0.7, 0.1), (0.35, 0.4, 0.25)])
def test_wilcoxon_rejects_too_often_where_items_tie(shares):
    """The paper's advice below 30 items tests the pseudo-median: with many ties it is no test of the mean of d."""
    d = np.random.default_rng(5).choice([1.0, 0.0, -1.0], size=(N_SETS, 20), p=shares)
    epsilon = shares[0] - shares[2]
    wilcoxon, t = (rate(test(x, epsilon).p_value for x in d) for test in (wilcoxon_test, t_test))
    print(f"\nn = 20, human better {shares[0]}, judge better {shares[2]}: Wilcoxon {wilcoxon:.3f}, t {t:.3f}")
    assert wilcoxon > 0.15
    assert t == pytest.approx(0.05, abs=0.02)


def test_weighted_t():
    """D.1's statistic on labels of which one tenth is rare: near its level, the effective n standing for n."""
    rng = np.random.default_rng(6)
    p_values = []
    for _ in range(N_SETS):
        rare = rng.random(300) < 0.1
        weights = np.where(rare, 300 / max(rare.sum(), 1), 300 / (~rare).sum())
        d = rng.choice([1.0, 0.0, -1.0], size=300, p=(0.3, 0.5, 0.2))
        p_values.append(weighted_t_test(d, weights, 0.1).p_value)
    measured = rate(p_values)
    print(f"\nweighted t, one label in ten: {measured:.3f}")
    assert measured == pytest.approx(0.05, abs=0.02)
