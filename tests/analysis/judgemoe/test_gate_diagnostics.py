from __future__ import annotations

import numpy as np
import pytest

from analysis.judgemoe.diagnostics.best_of_n import best_of_n
from analysis.judgemoe.diagnostics.compute import inference_flops, relative_compute
from analysis.judgemoe.diagnostics.gate_behaviour import judge_behaviour, quality_gate_correlation
from analysis.judgemoe.diagnostics.illustrations import closer_rate, largest_change
from analysis.judgemoe.diagnostics.sample_efficiency import gain_threshold, least_fraction, training_fraction
from tests.analysis.judgemoe.random_cells import random_cell


def test_best_of_n_against_a_loop():
    rng = np.random.default_rng(0)
    p, y, g = rng.random(60), rng.random(60), rng.integers(0, 12, 60)
    p[5] = np.nan
    picked, best, sizes = [], [], []
    for group in range(12):
        inside = [i for i in range(60) if g[i] == group and np.isfinite(p[i])]
        if len(inside) >= 2:
            picked.append(y[max(inside, key=lambda i: p[i])])
            best.append(max(y[i] for i in inside))
            sizes.append(len(inside))
    found = best_of_n(p, y, g)
    assert (found.groups, found.mean_candidates) == (len(sizes), pytest.approx(np.mean(sizes)))
    assert found.best_score == pytest.approx(np.mean(best))
    assert found.picked_score == pytest.approx(np.mean(picked))


def test_tied_picks_count_by_their_mean_and_lonely_groups_do_not():
    found = best_of_n(np.array([0.5, 0.5, 0.2, 0.9]), np.array([1.0, 0.0, 1.0, 1.0]), np.array([0, 0, 0, 1]))
    assert (found.groups, found.picked_score) == (1, 0.5)
    assert np.isnan(best_of_n(np.array([0.5]), np.array([1.0]), np.array([0])).picked_score)


def test_gate_behaviour_counts_present_judges_only():
    cell = random_cell(200, 3, 5, missing=0.3)
    rng = np.random.default_rng(1)
    weights = np.where(cell.present, rng.random((200, 3)), 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    rows = judge_behaviour(cell, weights)
    assert rows[1].mean_gate == pytest.approx(weights[cell.present[:, 1], 1].mean())
    assert sum(row.top_rate for row in rows) == pytest.approx(1.0)
    assert rows[0].top_rate == pytest.approx((weights.argmax(axis=1) == 0).mean())
    assert -1.0 <= quality_gate_correlation(rows) <= 1.0


def test_illustrations_are_the_extremes():
    cell = random_cell(50, 3, 5)
    rng = np.random.default_rng(2)
    method, baseline, weights = rng.random(50), rng.random(50), rng.dirichlet(np.ones(3), 50)
    change = np.abs(baseline - cell.targets) - np.abs(method - cell.targets)
    up = largest_change(cell, method, baseline, weights, helps=True)
    down = largest_change(cell, method, baseline, weights, helps=False)
    assert (up.item, up.change) == (f"i{change.argmax()}", pytest.approx(change.max()))
    assert (down.item, down.change) == (f"i{change.argmin()}", pytest.approx(change.min()))
    assert up.top_judge == cell.judges[weights[change.argmax()].argmax()]
    method[3] = np.nan
    rate, n = closer_rate(method, baseline, cell.targets)
    assert n == 49
    assert rate == pytest.approx((change[np.arange(50) != 3] > 0).mean())


def test_training_fractions_are_nested_and_whole_clusters():
    cell = random_cell(300, 2, 3)
    small, large = training_fraction(cell, 0.1), training_fraction(cell, 0.4)
    assert set(small.items) < set(large.items)
    assert len(np.unique(small.clusters)) == 10
    assert all((cell.clusters == c).sum() == (small.clusters == c).sum() for c in np.unique(small.clusters))
    assert training_fraction(cell, 1.0).items == cell.items
    assert len(np.unique(training_fraction(cell, 0.0001).clusters)) == 1


def test_least_fraction_and_threshold():
    scores = {0.05: 0.1, 0.4: 0.3, 1.0: 0.35}
    assert least_fraction(scores, 0.1, strict=True) == 0.4
    assert least_fraction(scores, 0.1) == 0.05
    assert least_fraction(scores, 0.9) is None
    assert gain_threshold(0.1, 0.35, 0.9) == pytest.approx(0.325)


def test_compute_proxy_is_table_49s():
    assert relative_compute([9, 12, 7], 37) == pytest.approx(0.76, abs=0.005)
    assert relative_compute([7, 9, 9, 12, 8, 8], 37) == pytest.approx(1.43, abs=0.005)
    assert inference_flops([28e9], 474e3) == pytest.approx(26.5e15, rel=0.01)
    assert inference_flops([53e9], 474e3) == pytest.approx(50.2e15, rel=0.01)
    assert inference_flops([37e9], 474e3) == pytest.approx(35.1e15, rel=0.01)
