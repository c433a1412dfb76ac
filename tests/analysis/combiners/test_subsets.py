"""Combiners on many subsets at once against the same combiners on those columns alone."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.combiners.subsets import (
    best_cv_choices,
    chosen_counts,
    chosen_votes,
    stacked_subsets,
    unweighted_subsets,
)
from analysis.estimators.combine import combine
from analysis.metrics.confusion import confusion
from analysis.statistics.folds import N_FOLDS, cluster_folds
from tests.analysis.simulate import simulate


@pytest.fixture(scope="module")
def panel():
    return simulate(3, n_items=260, n_clusters=110, n_members=6, missing=0.15)


@pytest.fixture(scope="module")
def subsets():
    drawn = np.random.default_rng(1).random((14, 6)) < 0.5
    drawn[0] = True
    drawn[~drawn.any(axis=1), 2] = True
    return drawn


@pytest.fixture(scope="module")
def folds(panel):
    return cluster_folds(panel.n_clusters)[panel.cluster]


def alone(panel, subset):
    return combine(
        panel.select_members([name for name, kept in zip(panel.members, subset, strict=True) if kept])
    )


def test_each_stacker_is_the_stacker_of_its_columns(panel, subsets, folds):
    stackers = stacked_subsets(panel.votes, panel.gold, folds, N_FOLDS, subsets)
    predictions = stackers.predictions(folds)
    assert stackers.gradients.max() < 1e-10
    for column, subset in enumerate(subsets):
        expected = alone(panel, subset).predictions["stacked"]
        np.testing.assert_array_equal(predictions[:, column], expected)
    for found, expected in zip(
        stackers.counts().fields(), confusion(predictions, panel.gold).fields(), strict=True
    ):
        np.testing.assert_array_equal(found, expected)


def test_each_best_single_is_that_of_its_columns(panel, subsets, folds):
    choices = best_cv_choices(panel.votes, panel.gold, folds, N_FOLDS, subsets)
    votes = chosen_votes(panel.votes, folds, choices)
    for column, subset in enumerate(subsets):
        np.testing.assert_array_equal(votes[:, column], alone(panel, subset).predictions["best_cv"])
    for found, expected in zip(
        chosen_counts(panel.votes, panel.gold, folds, choices).fields(),
        confusion(votes, panel.gold).fields(),
        strict=True,
    ):
        np.testing.assert_array_equal(found, expected)


def test_each_majority_is_that_of_its_columns(panel, subsets):
    votes = unweighted_subsets(panel.votes, subsets)
    for row, subset in enumerate(subsets):
        np.testing.assert_array_equal(votes[row], alone(panel, subset).predictions["unweighted"])


def test_a_fold_without_a_fit_takes_the_majority_of_the_subset(subsets):
    """All hallucinated items are in one fold, so that the others' training items have both classes and its own not."""
    panel = simulate(4, n_items=120, n_clusters=60, n_members=6, missing=0.3)
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    gold = (folds == 2).astype(np.int64)
    stackers = stacked_subsets(panel.votes, gold, folds, N_FOLDS, subsets)
    assert np.isnan(stackers.gradients[:, 2]).all()
    assert not np.isnan(np.delete(stackers.gradients, 2, axis=1)).any()
    inside = folds == 2
    np.testing.assert_array_equal(
        stackers.predictions(folds)[inside], unweighted_subsets(panel.votes, subsets).T[inside]
    )
    for found, expected in zip(
        stackers.counts().fields(), confusion(stackers.predictions(folds), gold).fields(), strict=True
    ):
        np.testing.assert_array_equal(found, expected)
