"""The learning curve against scikit-learn, fit by fit."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score

from analysis.estimators.combine import combine
from analysis.estimators.learning_curve import learning_curve
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.statistics.folds import cluster_folds
from tests.analysis.simulate import simulate


def plain_kappa(gold, verdicts):
    given = ~np.isnan(verdicts)
    if len(set(gold[given])) < 2 or len(set(verdicts[given])) < 2:
        return math.nan
    return float(cohen_kappa_score(gold[given], verdicts[given]))


def replicate(panel, folds, budget, seed, r):
    """Kappas of the stacker and of the best single member; None if a fold's records have one class."""
    stacked, single = np.full(panel.n_items, np.nan), np.full(panel.n_items, np.nan)
    features = np.where(np.isnan(panel.votes), 0.5, panel.votes)
    for fold in range(5):
        training = np.array([c for c in range(panel.n_clusters) if folds[c] != fold])
        rng = np.random.default_rng([0, seed, budget, fold, r])
        chosen = rng.choice(training, budget, replace=False)
        train, test = np.isin(panel.cluster, chosen), folds[panel.cluster] == fold
        if len(set(panel.gold[train])) < 2:
            return None
        model = LogisticRegression(C=1.0, solver="newton-cholesky", tol=1e-12, max_iter=1000)
        model.fit(features[train], panel.gold[train])
        stacked[test] = model.decision_function(features[test]) > 1e-9
        scores = []
        for column in panel.votes[train].T:
            given = ~np.isnan(column)
            labels = panel.gold[train][given]
            scores.append(0.5 if len(set(labels)) < 2 else balanced_accuracy_score(labels, column[given]))
        single[test] = panel.votes[test, int(np.argmax(np.round(scores, 12)))]
    return plain_kappa(panel.gold, stacked), plain_kappa(panel.gold, single)


@pytest.mark.parametrize(("seed", "budgets"), [(0, (4, 12)), (1, (25,))])
def test_every_replicate_is_that_of_the_loops(seed, budgets):
    panel = simulate(seed, n_items=130, n_clusters=60, n_members=4, missing=0.15)
    folds = cluster_folds(panel.n_clusters)
    curve = learning_curve(panel, 777, budgets=budgets, n_replicates=5)
    assert [point.budget for point in curve.points] == [*budgets, 48]
    for point in curve.points[:-1]:
        plain = [replicate(panel, folds, point.budget, 777, r) for r in range(5)]
        kept = [pair for pair in plain if pair is not None]
        assert point.degenerate == 5 - len(kept)
        np.testing.assert_allclose(point.stacked, [pair[0] for pair in kept], atol=1e-12)
        np.testing.assert_allclose(point.best_single, [pair[1] for pair in kept], atol=1e-12)


def test_the_full_pool_is_the_reported_stacker():
    panel = simulate(2, n_items=300, n_clusters=140, missing=0.1)
    curve = learning_curve(panel, 1, budgets=(10,), n_replicates=3)
    verdicts = combine(panel).predictions
    columns = np.column_stack([verdicts[m] for m in ("stacked", "best_cv", "unweighted")])
    expected = kappa(confusion(columns, panel.gold))
    full = curve.points[-1]
    assert (full.full, full.budget, curve.pool) == (True, 112, 112)
    assert (full.stacked[0], full.best_single[0], curve.unweighted) == tuple(expected)
    fold = cluster_folds(panel.n_clusters)[panel.cluster]
    by_fold = [cohen_kappa_score(panel.gold[fold == f], verdicts["stacked"][fold == f]) for f in range(5)]
    np.testing.assert_allclose(curve.by_fold, by_fold, atol=1e-12)


def test_records_of_one_class_discard_the_whole_replicate():
    panel = simulate(3, n_items=120, n_clusters=60, prevalence=0.1)
    folds = cluster_folds(panel.n_clusters)
    point = learning_curve(panel, 5, budgets=(6,), n_replicates=8).points[0]
    plain = [replicate(panel, folds, 6, 5, r) for r in range(8)]
    assert 0 < point.degenerate == sum(pair is None for pair in plain)
    assert len(point.stacked) == 8 - point.degenerate


def test_draws_without_any_usable_replicate_are_counted():
    panel = simulate(4, n_items=120, n_clusters=60, prevalence=0.04)
    curve = learning_curve(panel, 5, budgets=(2,), n_replicates=4)
    assert curve.points[0].degenerate == 4
    assert len(curve.points[0].stacked) == 0


def test_constant_predictions_have_no_kappa():
    """A panel that says hallucinated throughout, whatever it is fitted on."""
    panel = simulate(6, n_items=200, n_clusters=90, n_members=2, prevalence=0.85)
    votes = np.ones_like(panel.votes)
    constant = type(panel)(panel.members, panel.uids, panel.clusters, panel.cluster, panel.gold, votes)
    point = learning_curve(constant, 9, budgets=(40,), n_replicates=3).points[0]
    assert np.isnan(point.stacked).all()
    assert np.isnan(point.best_single).all()


def test_more_records_help():
    panel = simulate(7, n_items=900, n_clusters=500)
    curve = learning_curve(panel, 3, budgets=(10, 100), n_replicates=30)
    few, many = (statistics.fmean(point.stacked) for point in curve.points[:2])
    assert few < many < curve.points[-1].stacked[0] + 0.02


def test_blocks_of_replicates_do_not_change_the_curve(monkeypatch):
    panel = simulate(8, n_items=130, n_clusters=60)
    whole = learning_curve(panel, 1, budgets=(12,), n_replicates=7).points[0]
    monkeypatch.setattr("analysis.estimators.learning_curve._BLOCK", 1)
    blocks = learning_curve(panel, 1, budgets=(12,), n_replicates=7).points[0]
    np.testing.assert_allclose(blocks.stacked, whole.stacked, atol=1e-12)
    np.testing.assert_allclose(blocks.best_single, whole.best_single, atol=1e-12)
