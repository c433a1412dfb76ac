"""The stacker is never told the gold of the fold it predicts; a leak planted here is caught by the same checks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from analysis.arrays import Floats, Ints
from analysis.combiners.pooled import fit_all, margins, verdicts
from analysis.combiners.stacked import stacked
from analysis.estimators.combine import combine
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.panel.votes import vote_matrix
from analysis.statistics.folds import N_FOLDS, cluster_folds
from tests.validity.panel.population import MEDHALLU, WICE, Design, Population

pytestmark = pytest.mark.validity

Fit = Callable[[Floats, Ints, Ints], Floats]
PANEL = Population(np.linspace([0.1, 0.2], [1.0, 0.8], 10), 0.8, np.full(10, 0.03))
#: Members that know nothing: ten coins.
COINS = Population(np.zeros((10, 2)), 0.0, np.zeros(10))


def cross_fit(votes: Floats, gold: Ints, folds: Ints) -> Floats:
    return stacked(votes, gold, folds, N_FOLDS).predictions


def leaking_fit(votes: Floats, gold: Ints, folds: Ints) -> Floats:
    """A stacker fitted on all items, those it predicts among them."""
    return verdicts(margins(*fit_all(votes, gold), votes))


def leaking_fold(votes: Floats, gold: Ints, folds: Ints) -> Floats:
    """A cross-fit that lets one item of a fold into its own training."""
    moved = folds.copy()
    for fold in range(N_FOLDS):
        moved[np.flatnonzero(folds == fold)[0]] = (fold + 1) % N_FOLDS
    return stacked(votes, gold, moved, N_FOLDS).predictions


def folds_that_see_their_gold(
    fit: Fit, votes: Floats, gold: Ints, folds: Ints, rng: np.random.Generator
) -> int:
    """Folds whose verdicts change when only their own gold labels do."""
    before = fit(votes, gold, folds)
    seen = 0
    for fold in range(N_FOLDS):
        mine = folds == fold
        for replacement in (1 - gold, rng.permutation(gold), np.zeros_like(gold), np.ones_like(gold)):
            changed = np.where(mine, replacement, gold)
            if not np.array_equal(fit(votes, changed, folds)[mine], before[mine], equal_nan=True):
                seen += 1
                break
    return seen


@pytest.mark.parametrize("design", [WICE, MEDHALLU], ids=["wice", "medhallu"])
def test_no_fold_sees_its_own_gold(design: Design) -> None:
    folds = cluster_folds(design.n_clusters)[design.cluster]
    for seed in range(20):
        rng = np.random.default_rng(seed)
        votes = PANEL.votes(design, rng)
        assert folds_that_see_their_gold(cross_fit, votes, design.gold, folds, rng) == 0
        assert folds_that_see_their_gold(leaking_fit, votes, design.gold, folds, rng) == N_FOLDS


def test_every_supervised_method_is_out_of_fold() -> None:
    design, rng = WICE, np.random.default_rng(0)
    votes = PANEL.votes(design, rng)
    members = [f"m{j}" for j in range(votes.shape[1])]
    uids = [str(i) for i in range(len(design.gold))]

    def predictions(gold: Ints) -> dict[str, Floats]:
        return combine(vote_matrix(members, uids, [int(c) for c in design.cluster], gold, votes)).predictions

    before = predictions(design.gold)
    folds = cluster_folds(design.n_clusters)[design.cluster]
    for fold in range(N_FOLDS):
        mine = folds == fold
        after = predictions(np.where(mine, 1 - design.gold, design.gold))
        for name in (
            "stacked",
            "best_cv",
            "accuracy_weighted",
            "log_odds_weighted",
            "unweighted",
            "dawid_skene",
        ):
            np.testing.assert_array_equal(after[name][mine], before[name][mine], err_msg=name)


def mean_kappa(fit: Fit, n_panels: int = 400) -> float:
    """Mean kappa of a stacker over panels of coins: what it reads into noise."""
    design = WICE
    folds = cluster_folds(design.n_clusters)[design.cluster]
    found = []
    for seed in range(n_panels):
        votes = COINS.votes(design, np.random.default_rng([7, seed]))
        found.append(fit(votes, design.gold, folds))
    return float(kappa(confusion(np.column_stack(found), design.gold)).mean())


def test_coins_are_worth_nothing_out_of_fold() -> None:
    honest, leaking = mean_kappa(cross_fit), mean_kappa(leaking_fit)
    print(honest, leaking)
    # Out of fold it is a little below 0: a class that a training set lacks is the one that the test fold has.
    assert -0.06 < honest < 0.01
    assert leaking > 0.15


def test_a_leak_of_single_items_is_caught() -> None:
    """One item of each fold in its own training: the check finds it where it moves the fit."""
    design = WICE
    folds = cluster_folds(design.n_clusters)[design.cluster]
    caught = 0
    for seed in range(40):
        rng = np.random.default_rng([11, seed])
        votes = PANEL.votes(design, rng)
        caught += folds_that_see_their_gold(leaking_fold, votes, design.gold, folds, rng) > 0
    assert caught >= 36
