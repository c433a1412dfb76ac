"""The vectorised simulation: equal to the test itself on the same samples, and true to appendix C."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.alt_test.evidence import gather_evidence
from analysis.alt_test.planning import plan_from_curves, plan_from_pilot
from analysis.alt_test.procedure import alt_test
from analysis.alt_test.setup import Setup
from analysis.alt_test.simulation.annotations import (
    Noise,
    expected_kappa,
    noise_of_accuracy,
    noise_of_kappa,
    simulate_sets,
)
from analysis.alt_test.simulation.curves import Design, draw_samples, majority_accuracy, simulate_curves
from analysis.alt_test.simulation.grids import FIGURE_4, FIGURE_5, panel_rng
from analysis.alt_test.study.overview import simulation
from raim.errors import InputError
from tests.analysis.alt_test.simulated import crowd

SMALL = Design(n_sets=3, n_bootstraps=4, sizes=(30, 60, 90), epsilons=(0.0, 0.1, 0.2))


@pytest.mark.parametrize("noise", [Noise(4, 0.3, 0.2), Noise(2, 0.6, 0.1), Noise(8, 0.1, 0.4)])
@pytest.mark.parametrize("annotators", [2, 3, 5])
def test_equals_the_test_on_the_same_samples(noise, annotators):
    """Omega and rho of every size and epsilon are means of the alternative annotator test on those very samples."""
    design = Design(
        n_sets=3, n_bootstraps=3, n_annotators=annotators, sizes=(30, 60, 90), epsilons=(0.0, 0.1, 0.2)
    )
    curves = simulate_curves(noise, np.random.default_rng(5), design)
    rng = np.random.default_rng(5)
    sets = simulate_sets(noise, design.n_sets, design.n_items, design.n_humans, rng)
    humans, judge = draw_samples(sets, design, rng)
    for s, size in enumerate(design.sizes):
        for e, epsilon in enumerate(design.epsilons):
            results = [
                alt_test(
                    {f"h{j}": dict(enumerate(labels[:size, j].tolist())) for j in range(annotators)},
                    {"f": dict(enumerate(answers[:size].tolist()))},
                    Setup(epsilon=epsilon),
                ).judges["f"]
                for labels, answers in zip(humans, judge, strict=True)
            ]
            omegas = [result.winning_rate for result in results]
            rhos = [result.advantage_probability for result in results]
            assert curves.winning_rate[e, s] == pytest.approx(np.mean(omegas), abs=1e-12)
            assert curves.pass_rate[e, s] == pytest.approx(
                np.mean([omega >= 0.5 for omega in omegas]), abs=1e-12
            )
            assert curves.rho[s] == pytest.approx(np.mean(rhos), abs=1e-12)
            assert curves.rho_low[s] == pytest.approx(np.percentile(rhos, 5), abs=1e-12)
            assert curves.rho_high[s] == pytest.approx(np.percentile(rhos, 95), abs=1e-12)


def test_samples_are_without_replacement_and_of_one_set():
    """No item twice in a sample; no annotator twice; all labels come from the sample's own data set."""
    sets = simulate_sets(Noise(4, 0.0, 0.0), 3, 500, 6, np.random.default_rng(0))
    marked = np.broadcast_to(np.arange(500)[None, :, None] * 10 + np.arange(6), sets.humans.shape)
    by_set = marked + 10_000 * np.arange(3)[:, None, None]
    fake = type(sets)(np.ones((3, 200)), by_set[:, :, 0] // 10, by_set, by_set[:, :, 0] // 10)
    humans, judge = draw_samples(fake, SMALL, np.random.default_rng(1))
    for sample, (labels, answers) in enumerate(zip(humans, judge, strict=True)):
        assert (labels // 10_000 == sample // SMALL.n_bootstraps).all()
        assert (labels // 10 == answers[:, None]).all()
        assert len(np.unique(answers)) == 90
        assert len(np.unique(labels[0] % 10)) == 3


@pytest.mark.parametrize("eta", [0.1, 0.3, 0.5])
def test_kappa_among_humans(eta):
    """Appendix C: eta_h = 0.1 gives kappa about 0.8; in general (1 - eta_h)^2."""
    sets = simulate_sets(Noise(4, eta, 0.1), 60, 500, 4, np.random.default_rng(2))
    curves = simulate_curves(Noise(4, eta, 0.1), np.random.default_rng(2), Design(n_sets=60, n_bootstraps=1))
    assert curves.kappa == pytest.approx(expected_kappa(eta), abs=0.02)
    agreement = (sets.judge == sets.gold).mean()
    expected = 1 - 0.1 * (1 - (sets.prior**2).sum(axis=1).mean())
    assert agreement == pytest.approx(expected, abs=0.005)


def test_prior_is_the_labels_distribution():
    sets = simulate_sets(Noise(3, 0.5, 1.0), 4, 200_000, 1, np.random.default_rng(3))
    for d in range(4):
        for labels in (sets.gold[d], sets.humans[d, :, 0], sets.judge[d]):
            np.testing.assert_allclose(np.bincount(labels, minlength=3) / 200_000, sets.prior[d], atol=0.005)


def test_majority_accuracy_by_hand():
    humans = np.array([[[0, 0, 1], [0, 1, 2], [1, 1, 1]]])
    judge = np.array([[0, 2, 0]])
    assert majority_accuracy(humans, judge) == pytest.approx((1 + 1 / 3 + 0) / 3)


def test_noise_from_kappa_and_accuracy():
    assert noise_of_kappa(expected_kappa(0.35)) == pytest.approx(0.35)
    assert noise_of_accuracy(1.0, 4) == 0.0
    assert noise_of_accuracy(0.4, 4) == pytest.approx(1.0)
    for bad in (-0.1, 1.1, float("nan")):
        with pytest.raises(InputError):
            noise_of_kappa(bad)
    with pytest.raises(InputError, match="pure noise"):
        noise_of_accuracy(0.3, 4)


def test_panels_do_not_depend_on_each_other():
    found = simulation(design=SMALL)
    alone = simulate_curves(Noise(8, 0.3, 0.2), panel_rng(Noise(8, 0.3, 0.2)), SMALL)
    (panel,) = (
        one for row in found["figure5"] for one in row if (one["categories"], one["human_noise"]) == (8, 0.3)
    )
    assert panel["winning_rate"] == alone.winning_rate.tolist()
    assert found["figure4"][1] == found["figure5"][1]


def test_figures_have_the_stated_axes():
    assert {noise.categories for row in FIGURE_4 for noise in row} == {4}
    assert {noise.judge for row in FIGURE_5 for noise in row} == {0.2}
    assert [row[0].judge for row in FIGURE_4] == sorted(row[0].judge for row in FIGURE_4)
    assert [noise.human for noise in FIGURE_5[0]] == sorted(noise.human for noise in FIGURE_5[0])


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"sizes": (20, 30)}, "ascend from 30"),
        ({"sizes": (50, 30)}, "ascend"),
        ({"sizes": ()}, "ascend"),
        ({"sizes": (600,)}, "needs as many"),
        ({"n_annotators": 7}, "from 2 to 6"),
        ({"n_sets": 0}, "at least one"),
    ],
)
def test_designs_refused(change, word):
    with pytest.raises(InputError, match=word):
        Design(**change)


@pytest.mark.parametrize("change", [(1, 0.1, 0.1), (4, 1.1, 0.1), (4, 0.1, -0.1)])
def test_noise_refused(change):
    with pytest.raises(InputError):
        Noise(*change)


def test_plan_is_the_first_size_that_stays_above_the_power():
    curves = simulate_curves(Noise(4, 0.4, 0.1), np.random.default_rng(0), Design(n_sets=20, n_bootstraps=10))
    plan = plan_from_curves(curves, 0.1)
    rates = {point.n_items: point.pass_rate for point in plan.points}
    assert plan.n_items == min(n for n in rates if all(rate >= 0.8 for k, rate in rates.items() if k >= n))
    hopeless = simulate_curves(Noise(4, 0.1, 0.9), np.random.default_rng(0), Design(n_sets=5, n_bootstraps=5))
    assert plan_from_curves(hopeless, 0.0).n_items is None


def test_pilot_plan_agrees_with_the_simulation_it_came_from():
    """A pilot of 2,000 items: the plan from it is near the passing rate of fresh studies of the planned size."""
    rng = np.random.default_rng(1)
    sets = simulate_sets(Noise(4, 0.3, 0.25), 1, 42_000, 3, rng)

    def annotations(start, stop):
        humans = {f"h{j}": dict(enumerate(sets.humans[0, start:stop, j].tolist())) for j in range(3)}
        return humans, {"f": dict(enumerate(sets.judge[0, start:stop].tolist()))}

    evidence = gather_evidence(*annotations(0, 2000), Setup(epsilon=0.1))
    plan = plan_from_pilot(evidence, "f", (60, 100), np.random.default_rng(2))
    for point in plan.points:
        starts = range(2000, 2000 + 300 * point.n_items, point.n_items)
        passed = [
            alt_test(*annotations(start, start + point.n_items), Setup(epsilon=0.1)).judges["f"].passes
            for start in starts
        ]
        assert point.pass_rate == pytest.approx(np.mean(passed), abs=0.1)


def test_pilot_plan_with_missing_labels_and_clusters():
    humans, judge = crowd(np.random.default_rng(3), n_items=120, missing=0.5)
    evidence = gather_evidence(humans, {"f": judge}, Setup(min_items_per_annotator=10))
    rng = np.random.default_rng(0)
    plan = plan_from_pilot(evidence, "f", (80, 160, 400), rng, clusters=lambda item: int(item[1:]) // 6)
    assert [point.n_items for point in plan.points] == [80, 160, 400]
    assert all(0 <= point.pass_rate <= 1 for point in plan.points)
    with pytest.raises(InputError, match="plan for more"):
        plan_from_pilot(evidence, "f", (30,), rng)
    with pytest.raises(InputError, match="between 0 and 1"):
        plan_from_pilot(evidence, "f", (80,), rng, power=1.0)
