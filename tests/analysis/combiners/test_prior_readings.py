"""Readings at other class shares against scikit-learn, and where they must coincide."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score

from analysis.arrays import Floats, Ints
from analysis.combiners.priors import read_at_priors
from analysis.combiners.stacked import stacked
from analysis.estimators.prevalence import kappa_at, prevalence_notes, prevalence_readings
from analysis.panel.votes import VoteMatrix, vote_matrix
from analysis.statistics.folds import cluster_folds
from raim.errors import InputError
from tests.analysis.simulate import simulate


def folds_of(panel: VoteMatrix) -> Ints:
    return cluster_folds(panel.n_clusters)[panel.cluster]


def margins(votes: Floats, gold: Ints, train: np.ndarray, weight: str | None) -> tuple[Floats, float]:  # type: ignore[type-arg]
    features = np.nan_to_num(votes, nan=0.5)
    fit = LogisticRegression(tol=1e-12, max_iter=10_000, class_weight=weight).fit(
        features[train], gold[train]
    )
    share = gold[train].mean()
    return fit.decision_function(features), float(np.log(share / (1 - share)))


@pytest.mark.parametrize("prevalence", [0.12, 0.5, 0.85])
def test_all_readings_against_scikit_learn(prevalence: float) -> None:
    panel = simulate(11, prevalence=prevalence, n_items=300, n_clusters=120)
    votes, gold, folds = panel.votes, panel.gold, folds_of(panel)
    read = read_at_priors(votes, gold, folds, 5, deployment_prior=0.3)
    for fold in range(5):
        test, train = folds == fold, folds != fold
        plain, shift = margins(votes, gold, train, None)
        weighted, _ = margins(votes, gold, train, "balanced")
        expected = {
            "plain": plain > 0,
            "class_weighted": weighted > 0,
            "shifted": plain - shift > 0,
            "deployment": plain - shift + np.log(0.3 / 0.7) > 0,
        }
        for name, verdicts in expected.items():
            np.testing.assert_array_equal(getattr(read, name)[test], verdicts[test], err_msg=name)
        pooled = np.zeros((2, len(gold)))
        for inner in set(range(5)) - {fold}:
            train_inner = (folds != fold) & (folds != inner)
            plain, shift = margins(votes, gold, train_inner, None)
            weighted, _ = margins(votes, gold, train_inner, "balanced")
            pooled[0, folds == inner] = (plain - shift > 0)[folds == inner]
            pooled[1, folds == inner] = (weighted > 0)[folds == inner]
        shifted_score, weighted_score = (balanced_accuracy_score(gold[train], row[train]) for row in pooled)
        assert read.choice[fold] == (
            "class_weighted" if weighted_score > shifted_score + 1e-12 else "shifted"
        )
        chosen = getattr(read, read.choice[fold])
        np.testing.assert_array_equal(read.balanced[test], chosen[test])


def test_the_plain_reading_is_the_stacked_panels() -> None:
    panel = simulate(12, prevalence=0.2)
    folds = folds_of(panel)
    reported = stacked(panel.votes, panel.gold, folds, 5).predictions
    np.testing.assert_array_equal(read_at_priors(panel.votes, panel.gold, folds, 5).plain, reported)


def test_a_fold_without_both_classes_takes_the_majority() -> None:
    rng = np.random.default_rng(0)
    gold = np.array([1, 1] + [0] * 48)
    votes = (rng.random((50, 3)) < 0.3).astype(float)
    folds = np.array([0, 0] + [1 + i % 4 for i in range(48)])
    read = read_at_priors(votes, gold, folds, 5, 0.5)
    majority = (votes.mean(axis=1) >= 0.5).astype(float)
    for verdicts in (read.plain, read.class_weighted, read.shifted, read.balanced, read.deployment):
        assert verdicts is not None
        np.testing.assert_array_equal(verdicts[:2], majority[:2])


def test_gold_of_a_fold_does_not_reach_its_readings() -> None:
    """Turn the labels of one fold round: its own verdicts and choice stay."""
    panel = simulate(13, prevalence=0.25)
    folds = folds_of(panel)
    before = read_at_priors(panel.votes, panel.gold, folds, 5, 0.4)
    turned = np.where(folds == 2, 1 - panel.gold, panel.gold)
    after = read_at_priors(panel.votes, turned, folds, 5, 0.4)
    inside = folds == 2
    for name in ("plain", "class_weighted", "shifted", "balanced", "deployment"):
        np.testing.assert_array_equal(getattr(before, name)[inside], getattr(after, name)[inside])
    assert before.choice[2] == after.choice[2]
    assert not np.array_equal(before.plain[~inside], after.plain[~inside])


def test_kappa_at_a_prior_against_scikit_learn() -> None:
    gold = np.array([1] * 300 + [0] * 700)
    votes = np.array([1] * 240 + [0] * 60 + [1] * 70 + [0] * 630)
    assert kappa_at(0.8, 0.9, 0.3) == pytest.approx(cohen_kappa_score(gold, votes))


def test_scores_warning_and_notes() -> None:
    rare = prevalence_readings(simulate(14, prevalence=0.1, n_items=400, n_clusters=200), 0.02, n_draws=50)
    assert rare["far_from_even"]
    assert "drifts to the larger class (supported)" in rare["warning"]
    assert set(rare["readings"]) == {"plain", "balanced", "class_weighted", "shifted", "deployment"}
    recall = rare["readings"]["shifted"]["recall_hallucinated"]
    specificity = rare["readings"]["shifted"]["recall_supported"]
    assert rare["readings"]["shifted"]["balanced_accuracy"]["estimate"] == pytest.approx(
        (recall + specificity) / 2
    )
    assert rare["readings"]["shifted"]["at_deployment_prior"]["accuracy"] == pytest.approx(
        0.02 * recall + 0.98 * specificity
    )
    first, second = prevalence_notes(rare)
    assert first.startswith("Classes are far from balanced")
    assert "balanced: kappa" in first
    assert second.startswith("At 2.0% hallucinated items")
    even = prevalence_readings(simulate(15), n_draws=50)
    assert "warning" not in even
    assert "reason" in even
    assert "deployment" not in even["readings"]
    assert prevalence_notes(even) == []
    many = prevalence_readings(simulate(14, prevalence=0.9, n_items=400, n_clusters=200), n_draws=50)
    assert "(hallucinated)" in many["warning"]


def test_priors_that_are_none_are_refused() -> None:
    panel = simulate(16)
    for prior in (0.0, 1.0, -0.1, float("nan")):
        with pytest.raises(InputError, match="between 0 and 1"):
            prevalence_readings(panel, prior)
    one = vote_matrix(["a"], ["1", "2"], [1, 2], [1, 1], [[1], [0]])
    with pytest.raises(InputError, match="one class"):
        prevalence_readings(one)
