"""Populations: parameters, samples and pilots agree with each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from analysis.estimators.admissibility import admissibility
from analysis.estimators.error_correlation import error_correlation
from analysis.panel.votes import VoteMatrix, vote_matrix
from analysis.simulation.panel import PanelModel, draw_records, model_from_parameters, model_from_votes
from raim.errors import InputError

KAPPAS = (0.6, 0.45, 0.3, 0.2, 0.5)
BIASES = (0.1, -0.2, 0.3, 0.0, 0.25)


def as_votes(model: PanelModel, n_records: int, seed: int) -> VoteMatrix:
    sample = draw_records(model, n_records, np.random.default_rng(seed))
    names = [f"judge-{i}" for i in range(len(model.members))]
    uids = [str(i) for i in range(len(sample.gold))]
    return vote_matrix(names, uids, [int(r) for r in sample.record], sample.gold, sample.votes)


@pytest.mark.parametrize("prevalence", [0.2, 0.5, 0.85])
def test_a_large_sample_has_the_populations_kappas_and_correlation(prevalence: float) -> None:
    model = model_from_parameters(KAPPAS, 0.3, biases=BIASES, coverage=0.9, prevalence=prevalence)
    panel = as_votes(model, 60_000, 0)
    assert panel.prevalence == pytest.approx(prevalence, abs=0.01)
    assert np.isnan(panel.votes).mean() == pytest.approx(0.1, abs=0.01)
    for column, value in enumerate(model.kappas()):
        committed = ~np.isnan(panel.votes[:, column])
        found = cohen_kappa_score(panel.gold[committed], panel.votes[committed, column])
        assert found == pytest.approx(value, abs=0.02)
    phi = error_correlation(panel.votes, panel.gold).phi[0][np.triu_indices(5, 1)]
    assert phi == pytest.approx(np.full(10, 0.3), abs=0.03)
    assert model.phi_bar() == pytest.approx(0.3, abs=1e-6)


def test_on_even_classes_the_kappas_are_those_asked_for() -> None:
    model = model_from_parameters(KAPPAS, 0.3, biases=BIASES)
    assert model.kappas() == pytest.approx(KAPPAS)
    lean = model.rates[1] - model.rates[0]
    assert lean == pytest.approx(BIASES)


def test_matched_pairs_and_their_dependence() -> None:
    model = model_from_parameters((0.4,) * 3, 0.2, matched_pairs=True, dependence=-0.5)
    panel = as_votes(model, 20_000, 1)
    assert (np.bincount(panel.cluster) == 2).all()
    assert panel.prevalence == 0.5
    wrong = (panel.votes != panel.gold[:, None]).reshape(-1, 2, 3)
    independent = as_votes(replace(model, dependence=0.0), 20_000, 1)
    chance = (independent.votes != independent.gold[:, None]).reshape(-1, 2, 3)
    assert wrong.all(axis=1).mean() < chance.all(axis=1).mean() - 0.02


@pytest.mark.parametrize(("dependence", "pairs"), [(-0.5, True), (0.0, True), (0.6, True), (0.0, False)])
def test_a_large_pilot_gives_its_population_back(dependence: float, pairs: bool) -> None:
    truth = model_from_parameters(
        KAPPAS, 0.3, biases=BIASES, coverage=0.95, matched_pairs=pairs, dependence=dependence
    )
    again = model_from_votes(as_votes(truth, 20_000, 2))
    assert again.rates == pytest.approx(truth.rates, abs=0.02)
    assert again.coverage == pytest.approx(truth.coverage, abs=0.01)
    assert again.phi_bar() == pytest.approx(truth.phi_bar(), abs=0.02)
    assert again.dependence == pytest.approx(dependence, abs=0.05)
    assert again.compositions == (((1, 1),) if pairs else ((0, 1), (1, 0)))
    assert again.items_per_record == truth.items_per_record


def test_a_tiny_pilot_still_gives_a_population() -> None:
    votes = [[1, 0, np.nan], [0, 0, np.nan], [1, 1, 1], [0, 1, np.nan]]
    pilot = vote_matrix(list("abc"), list("1234"), [1, 1, 2, 2], [1, 0, 1, 0], votes)
    model = model_from_votes(pilot)
    assert ((model.rates > 0) & (model.rates < 1)).all()
    assert np.linalg.eigvalsh(model.correlation)[0] > -1e-8
    call = admissibility(pilot.votes, pilot.gold)
    assert call.phi_bar is None
    assert np.isfinite(model.phi_bar())


def test_impossible_populations_are_refused() -> None:
    for arguments, words in (
        ({"kappas": (0.9, 0.5), "biases": (0.2, 0.0)}, "bias must be smaller"),
        ({"kappas": (0.9, 0.5), "biases": (0.2,)}, "one bias for each member"),
        ({"kappas": (0.4, 0.5), "prevalence": 1.0}, "between 0 and 1"),
        ({"kappas": (0.4, 0.5), "prevalence": 0.3, "matched_pairs": True}, "0.5 for matched pairs"),
        ({"kappas": (0.4, 0.5), "coverage": 0.0}, "coverage above 0"),
    ):
        with pytest.raises(InputError, match=words):
            model_from_parameters(phi=0.3, **arguments)  # type: ignore[arg-type]
    one_class = vote_matrix(["a"], ["1", "2"], [1, 2], [1, 1], [[1], [0]])
    with pytest.raises(InputError, match="one class"):
        model_from_votes(one_class)
