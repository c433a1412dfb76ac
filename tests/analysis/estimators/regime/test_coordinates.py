"""Coordinates and budgets against loops over draws with scikit-learn and numpy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from analysis.estimators.admissibility import DECLARED, admissibility
from analysis.estimators.regime.agreement import agreement
from analysis.estimators.regime.budget import budget_samples
from analysis.estimators.regime.coordinates import coordinates
from tests.analysis.simulate import simulate


def plain_kappa(votes, gold):
    """Undefined (None) with fewer than two items, one gold class or a constant prediction."""
    given = ~np.isnan(votes)
    v, y = votes[given], gold[given]
    if len(v) < 2 or len(set(y)) < 2 or len(set(v)) < 2:
        return None
    return float(cohen_kappa_score(y, v))


def plain_phi_bar(votes, gold):
    values = []
    for a in range(votes.shape[1]):
        for b in range(a):
            joint = ~np.isnan(votes[:, a]) & ~np.isnan(votes[:, b])
            if joint.sum() < 5:
                continue
            x, y = (votes[joint, j] != gold[joint] for j in (a, b))
            constant = len(set(x)) < 2 or len(set(y)) < 2
            values.append(0.0 if constant else float(np.corrcoef(x, y)[0, 1]))
    return float(np.mean(values)) if values else math.nan


def plain(votes, gold):
    kappas = [plain_kappa(votes[:, j], gold) or 0.0 for j in range(votes.shape[1])]
    return (
        plain_phi_bar(votes, gold),
        sum(k >= 0.30 for k in kappas),
        sum(max(0.0, k - 0.30) for k in kappas),
        kappas.index(max(kappas)),
    )


@pytest.mark.parametrize("seed", range(3))
def test_coordinates_are_those_of_the_loops(seed):
    panel = simulate(seed, n_items=90, n_clusters=50, missing=0.3)
    found = coordinates(panel.votes, panel.gold)
    phi, competent, excess, leader = plain(panel.votes, panel.gold)
    assert found.phi_bar[0] == pytest.approx(phi, abs=1e-12)
    assert (found.competent[0], found.leader[0]) == (competent, leader)
    assert found.excess[0] == pytest.approx(excess, abs=1e-12)
    call = admissibility(panel.votes, panel.gold)
    assert (call.competent, call.admissible) == (competent, found.admissible()[0])


@pytest.mark.parametrize(("seed", "budgets"), [(0, (10, 25)), (1, (3, 40))])
def test_budget_samples_are_those_of_the_loops(seed, budgets):
    """The draws, one generator a budget, and every statistic of every sample; small samples are often degenerate."""
    panel = simulate(seed, n_items=80, n_clusters=40, missing=0.25)
    rng_seed, n_samples = 12345, 12
    samples = budget_samples(
        panel.votes, panel.gold, panel.cluster, rng_seed, budgets=(*budgets, 41), n_samples=n_samples
    )
    assert [sample.budget for sample in samples] == list(budgets)
    for sample in samples:
        rng = np.random.default_rng([0, rng_seed, sample.budget])
        for r in range(n_samples):
            chosen = rng.choice(np.arange(40), sample.budget, replace=False)
            keep = np.isin(panel.cluster, chosen)
            phi, competent, excess, leader = plain(panel.votes[keep], panel.gold[keep])
            found = sample.coordinates
            assert sample.n_items[r] == keep.sum()
            np.testing.assert_allclose(found.phi_bar[r], phi, atol=1e-12)
            assert (found.competent[r], found.leader[r]) == (competent, leader)
            assert found.excess[r] == pytest.approx(excess, abs=1e-12)
            expected = competent >= DECLARED.required(panel.n_members) and phi <= DECLARED.phi
            assert bool(found.admissible()[r]) is expected


def test_a_sample_without_a_readable_pair_is_not_admissible():
    panel = simulate(2, n_items=40, n_clusters=40)
    found = budget_samples(panel.votes, panel.gold, panel.cluster, 1, budgets=(4,), n_samples=8)[
        0
    ].coordinates
    assert np.isnan(found.phi_bar).all()
    assert not found.admissible().any()


def test_equal_kappas_lead_in_the_order_of_the_columns():
    panel = simulate(5)
    twins = np.column_stack([panel.votes[:, 0], panel.votes[:, 0]])
    assert coordinates(twins, panel.gold).leader[0] == 0


@pytest.mark.parametrize("seed", range(4))
def test_votes_agree_as_often_as_errors(seed):
    panel = simulate(seed, n_items=70, n_clusters=40, missing=0.4)
    rates, votes = [], panel.votes
    for a in range(panel.n_members):
        for b in range(a):
            joint = ~np.isnan(votes[:, a]) & ~np.isnan(votes[:, b])
            if joint.sum() >= 5:
                rates.append((votes[joint, a] == votes[joint, b]).mean())
    found = agreement(votes, panel.gold)
    assert found.votes == pytest.approx(np.mean(rates), abs=1e-12)
    assert found.votes == found.errors
    assert found.pairs == len(rates)


def test_agreement_without_a_readable_pair_has_no_value():
    panel = simulate(6, n_items=60, n_clusters=30)
    found = agreement(panel.votes[:4], panel.gold[:4])
    assert math.isnan(found.votes)
    assert found.pairs == 0


def test_blocks_of_samples_do_not_change_the_coordinates(monkeypatch):
    panel = simulate(9, n_items=90, n_clusters=50)
    arguments = (panel.votes, panel.gold, panel.cluster, 5)
    whole = budget_samples(*arguments, budgets=(10,), n_samples=7)[0].coordinates
    monkeypatch.setattr("analysis.estimators.regime.budget._BLOCK", 1)
    blocks = budget_samples(*arguments, budgets=(10,), n_samples=7)[0].coordinates
    np.testing.assert_allclose(blocks.phi_bar, whole.phi_bar, atol=1e-12)
    np.testing.assert_array_equal(blocks.kappas, whole.kappas)
    np.testing.assert_array_equal(blocks.leader, whole.leader)
