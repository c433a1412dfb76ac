"""Simulated cells have the truth that they claim."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.pools.fixed import fit_pool
from analysis.judgemoe.simulation.cells import Scenario, simulate_cell
from analysis.judgemoe.simulation.experts import EXPERT, follow_ups
from analysis.judgemoe.simulation.judges import JudgeModel, judge_distributions, posterior
from analysis.judgemoe.simulation.suite import ADDITIONAL, ORIGINAL, simulate_suite
from analysis.judgemoe.splits import straddling
from analysis.judgemoe.theory.temperature import estimate_temperature, tempered


def cell_of(*judges, items=3000, **settings):
    return simulate_cell(Scenario("s", judges, items, **settings), 1, 5, np.random.default_rng(0))


def test_a_judge_without_error_is_the_tempered_posterior():
    labels = np.linspace(0, 1, 5)
    location, width = np.array([0.2, 0.8]), np.array([0.2, 0.3])
    truth = posterior(labels, location, width)
    models = tuple(JudgeModel(str(tau), tau=tau) for tau in (0.5, 1.0, 2.0))
    found = judge_distributions(
        models, labels, location, width, np.zeros(2, int), 0.0, np.random.default_rng(0)
    )
    for j, model in enumerate(models):
        assert found[:, j] == pytest.approx(tempered(truth, model.tau), abs=1e-12)


def test_errors_correlate_as_asked():
    labels = np.linspace(0, 1, 50)
    n = 4000
    models = (JudgeModel("a", error=0.05), JudgeModel("b", error=0.05))
    location, width = np.full(n, 0.5), np.full(n, 0.05)
    p = judge_distributions(models, labels, location, width, np.zeros(n, int), 0.7, np.random.default_rng(0))
    assert np.corrcoef((p @ labels).T)[0, 1] == pytest.approx(0.7, abs=0.03)


def test_human_scores_follow_the_posterior():
    found = cell_of(JudgeModel("a"), items=20_000, raters=1)
    assert set(np.unique(found.cell.targets)) <= set(found.cell.labels)
    gap = found.cell.targets - found.posterior_mean
    assert abs(gap.mean()) < 0.01
    assert abs(np.corrcoef(gap, found.posterior_mean)[0, 1]) < 0.02
    three = cell_of(JudgeModel("a"), items=20_000, raters=3)
    assert (three.cell.targets - three.posterior_mean).var() == pytest.approx(gap.var() / 3, rel=0.1)


def test_optimal_temperature_recovers_the_posterior_mean():
    found = cell_of(*(JudgeModel(f"j{t}", tau=t) for t in (0.6, 1.0, 2.5)))
    best = found.optimal_temperature()
    assert best == pytest.approx(np.mean([1 / 0.6, 1.0, 1 / 2.5]))
    pool = fit_pool(found.cell, "uniform", "log", best)
    # Up to the epsilon inside the logarithm.
    assert pool.predict(found.cell) == pytest.approx(found.posterior_mean, abs=1e-3)
    assert estimate_temperature(found.cell) == pytest.approx(best, rel=0.15)


def test_specialists_and_reversed_judges():
    found = cell_of(
        JudgeModel("a", specialty=0),
        JudgeModel("b", specialty=1),
        JudgeModel("z", reversed_scale=True),
        types=2,
    )
    right = found.right_judge()
    soft = soft_scores(found.cell)
    rows = np.arange(len(right))
    error = np.abs(soft[:, :2] - found.posterior_mean[:, None])
    assert error[rows, right].mean() < 0.5 * error[rows, 1 - right].mean()
    assert np.corrcoef(soft[:, 2], found.posterior_mean)[0, 1] < -0.8


def test_the_suite_has_sixteen_cells_of_six_judges():
    cells = simulate_suite(max_items=120)
    assert len(cells) == 16 == 2 * (len(ORIGINAL) + len(ADDITIONAL))
    assert len({found.cell.name for found in cells}) == 16
    assert all(len(found.cell.judges) == 6 for found in cells)
    assert max(scenario.items for scenario in (*ORIGINAL, *ADDITIONAL)) == 100_000
    assert all(straddling(found.cell.clusters, found.cell.splits) == 0 for found in cells)
    gaps = [found for found in cells if not found.cell.complete]
    assert {found.cell.dataset for found in gaps} == {"gaps"}
    again = simulate_suite(max_items=120)
    assert all(
        np.array_equal(a.cell.probabilities, b.cell.probabilities) for a, b in zip(cells, again, strict=True)
    )


def test_follow_ups_have_an_expert_beside_their_judges():
    for study in follow_ups():
        assert study.cell.judges == (*study.base, EXPERT)
        assert study.cell.complete
