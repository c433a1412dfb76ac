"""Competence against the consensus of Dawid and Skene, which is not competence where errors are shared."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from analysis.combiners.dawid_skene import DEFAULT, PUBLISHED, dawid_skene
from analysis.estimators.regime.label_free import apparent_competence
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from tests.analysis.simulate import simulate


@pytest.mark.parametrize("setting", [DEFAULT, PUBLISHED])
def test_kappas_are_those_against_the_fitted_labels(setting):
    panel = simulate(1, missing=0.1)
    found = apparent_competence(panel.votes, setting)
    labels = dawid_skene(panel.votes, setting).predictions
    for column in range(panel.n_members):
        given = ~np.isnan(panel.votes[:, column])
        expected = cohen_kappa_score(labels[given], panel.votes[given, column])
        assert found.kappas[column] == pytest.approx(expected, abs=1e-12)
    assert found.competent == (found.kappas >= 0.30).sum()


def test_a_shared_error_looks_like_competence():
    """Ten near-copies of a coin: none knows gold, all agree with their consensus."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 2, 400)
    coin = rng.integers(0, 2, 400)
    votes = np.where(rng.random((400, 10)) < 0.05, 1 - coin[:, None], coin[:, None]).astype(float)
    assert (np.abs(kappa(confusion(votes, gold))) < 0.15).all()
    assert apparent_competence(votes, DEFAULT).competent == 10


def test_constant_members_are_not_competent():
    votes = np.ones((30, 3))
    found = apparent_competence(votes, DEFAULT)
    assert found.competent == 0
    assert np.isnan(found.kappas).all()
