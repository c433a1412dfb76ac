"""Youden's J, selection, directions and regressions against loops and statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm

from analysis.estimators.thresholds.family import by_call, correlation_half, family, grid_summary, objective
from analysis.estimators.thresholds.fixed_effects import fixed_effects
from analysis.estimators.thresholds.rows import BARS, SHARES, PanelRows, youden
from analysis.estimators.thresholds.selection import direction, hold_out, runs, select


def simulated(seed, n_benchmarks=4, per_benchmark=40, gains=True):
    rng = np.random.default_rng(seed)
    m = n_benchmarks * per_benchmark
    benchmark = np.repeat(np.arange(n_benchmarks), per_benchmark)
    size = rng.integers(5, 11, m)
    competent = np.minimum(size, rng.binomial(10, rng.uniform(0.2, 0.9, n_benchmarks)[benchmark]))
    phi = np.clip(rng.uniform(0.1, 0.7, n_benchmarks)[benchmark] + rng.normal(0, 0.06, m), 0, 1)
    phi[::7] = np.round(phi[::7], 2)
    best = rng.uniform(0.2, 0.6, m)
    stacked = best + 0.05 * (competent / size) - 0.05 * phi + rng.normal(0, 0.03, m)
    frontier = rng.uniform(0.3, 0.6, n_benchmarks)[benchmark]
    full = np.arange(m) % per_benchmark == 0
    return PanelRows(benchmark, full, size, competent, phi, stacked, best, frontier)


def plain_calls(rows, share, bar):
    return np.array(
        [
            s >= math.ceil(share * k - 1e-9) and p <= bar
            for s, k, p in zip(rows.competent, rows.size, rows.phi_bar, strict=True)
        ]
    )


def plain_j(calls, target):
    tp, tn = (calls & target).sum(), (~calls & ~target).sum()
    return tp / target.sum() + tn / (~target).sum() - 1


def test_the_grid_is_the_papers():
    assert len(SHARES) * len(BARS) == 396
    assert (BARS[0], BARS[15], BARS[-1]) == (0.25, 0.40, 0.90)


@pytest.mark.parametrize("seed", range(2))
def test_j_and_the_pairs_chosen(seed):
    rows = simulated(seed).rounded()
    target = rows.near_frontier(0.10)
    j = np.array([[plain_j(plain_calls(rows, c, t), target) for t in BARS] for c in SHARES])
    np.testing.assert_allclose(youden(rows.grid(), target), j, atol=1e-12)
    found = select(rows, target)
    assert found is not None
    assert found.best == pytest.approx(j.max(), abs=1e-12)
    np.testing.assert_array_equal(found.maximisers, j >= j.max() - 1e-12)
    np.testing.assert_array_equal(found.plateau, j >= j.max() - 0.01)


def test_runs_name_every_pair_once():
    pairs = np.random.default_rng(0).random((len(SHARES), len(BARS))) < 0.4
    found = runs(pairs)
    named = {(r.share, bar) for r in found for bar in BARS if r.phi_from <= bar <= r.phi_to}
    assert named == {(SHARES[i], BARS[j]) for i, j in zip(*np.nonzero(pairs), strict=True)}
    assert sum(r.count for r in found) == pairs.sum()


def test_held_out_benchmarks_have_no_say():
    rows = simulated(2, per_benchmark=24).rounded()
    target = rows.beats_best_member()
    for code in range(4):
        others = rows.benchmark != code
        found = hold_out(rows, target, code)
        j = np.array(
            [[plain_j(plain_calls(rows, c, t)[others], target[others]) for t in BARS] for c in SHARES]
        )
        assert found.selected is not None
        assert found.selected.best == pytest.approx(j.max(), abs=1e-12)
        whole = rows[(rows.benchmark == code) & rows.full]
        calls = {
            bool(plain_calls(whole, SHARES[a], BARS[b])[0]) for a, b in np.argwhere(j >= j.max() - 1e-12)
        }
        assert set(found.calls) == calls
        assert found.matches is (calls == {bool(whole.declared()[0])})
        swapped = np.where(others, target, ~target)
        assert hold_out(rows, swapped, code).calls == found.calls


def test_direction_counts_the_pairs_that_split():
    rows = simulated(5).rounded()
    target = rows.beats_best_member()
    points, positive, least = direction(rows.grid(), target)
    js = []
    for c in SHARES:
        for t in BARS:
            calls = plain_calls(rows, c, t)
            if calls.any() and not calls.all():
                js.append(plain_j(calls, target))
    assert points == len(js)
    assert positive == pytest.approx(np.mean(np.array(js) > 0))
    assert least == pytest.approx(min(js), abs=1e-12)


def test_a_target_that_all_meet_leaves_j_undefined_with_the_reason():
    rows = simulated(6)
    everything = np.ones(len(rows), dtype=bool)
    assert select(rows, everything) is None
    found = objective(rows, everything, ["a", "b", "c", "d"])
    assert found["j_best"] is None
    assert found["j_declared"] is None
    assert "every panel" in found["reason"]
    assert family(rows, everything)["full_panels"]["share_positive"] is None


def test_margins_are_met_at_their_edge():
    rows = simulated(7)
    edge = PanelRows(**{**vars(rows), "frontier": rows.stacked + 0.25, "best_cv": rows.stacked})
    assert edge.near_frontier(0.2500001).all()
    assert not edge.near_frontier(0.2499).any()
    assert not edge.beats_best_member().any()


def test_summaries_count_what_loops_count():
    rows = simulated(8)
    names = ["a", "b", "c", "d"]
    admitted = plain_calls(rows, 0.5, 0.40)
    gain = rows.stacked - rows.best_cv
    pooled = by_call(rows, names)["pooled"]
    assert pooled["admitted"]["panels"] == admitted.sum()
    assert pooled["rejected"]["share_with_gain"] == pytest.approx((gain[~admitted] > 0).mean())
    far = rows.stacked - rows.frontier < -0.10
    assert pooled["admitted"]["share_far_behind_the_frontier"] == pytest.approx(far[admitted].mean())
    half = correlation_half(rows, names)
    competent = plain_calls(rows, 0.5, np.inf)
    above = competent & (rows.phi_bar > 0.40)
    assert (half["competent_panels"], half["above_the_bar"]) == (competent.sum(), above.sum())
    summary = grid_summary(rows)
    none = sum(not plain_calls(rows, c, t).any() for c in SHARES for t in BARS)
    assert summary["subpanels"]["admit_none"] == none


@pytest.mark.parametrize("seed", range(2))
def test_fixed_effects_are_least_squares_with_dummies(seed):
    rows = simulated(seed)
    outcome = rows.stacked - rows.best_cv
    x = np.column_stack([rows.competent / rows.size, rows.phi_bar])
    found = fixed_effects(outcome, x, rows.benchmark, np.random.default_rng(0), n_draws=60)

    def ols(taken):
        parts = [np.flatnonzero(rows.benchmark == code) for code in taken]
        index = np.concatenate(parts)
        effect = np.repeat(np.arange(len(taken)), [len(part) for part in parts])
        dummies = (effect[:, None] == np.arange(len(taken))).astype(float)
        return sm.OLS(outcome[index], np.column_stack([x[index], dummies])).fit().params[:2]

    np.testing.assert_allclose(found.coefficients, ols(range(4)), atol=1e-10)
    rng = np.random.default_rng(0)
    drawn = np.array([ols(rng.integers(0, 4, size=4)) for _ in range(60)])
    for column, summary in enumerate(found.intervals):
        low, high = np.percentile(drawn[:, column], [2.5, 97.5])
        assert (summary.low, summary.high) == pytest.approx((low, high), abs=1e-10)
        assert summary.resample_mean == pytest.approx(drawn[:, column].mean(), abs=1e-10)


def test_benchmarks_without_contrast_leave_the_coefficient_undefined():
    benchmark = np.repeat([0, 1], 10)
    constant = np.repeat([[0.2], [0.7]], 10, axis=0)
    found = fixed_effects(np.arange(20.0), constant, benchmark, np.random.default_rng(0), n_draws=20)
    assert np.isnan(found.coefficients).all()
    assert found.intervals[0].undefined_draws == 20
