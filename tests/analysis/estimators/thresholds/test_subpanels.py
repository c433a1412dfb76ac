"""Draws and scores of sub-panels against itertools and the estimators on each sub-panel alone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from analysis.estimators.admissibility import admissibility
from analysis.estimators.combine import combine
from analysis.estimators.thresholds.subpanels import draw_subpanels, score_subpanels
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.statistics.folds import cluster_folds
from tests.analysis.simulate import simulate


def as_tuples(drawn):
    return [tuple(np.flatnonzero(row).tolist()) for row in drawn]


def test_draws_are_those_of_one_generator_over_lexicographic_combinations():
    sizes = [10, 7, 10]
    rng = np.random.default_rng(0)
    for size, drawn in zip(sizes, draw_subpanels(sizes), strict=True):
        expected = [tuple(range(size))]
        for k in range((size + 1) // 2, size):
            every = list(combinations(range(size), k))
            if len(every) > 60:
                positions = sorted(rng.choice(len(every), 60, replace=False))
                every = [every[p] for p in positions]
            expected += every
        assert as_tuples(drawn) == expected


def test_the_papers_number_of_subpanels():
    drawn = draw_subpanels([10] * 8)
    assert [len(rows) for rows in drawn] == [236] * 8
    assert as_tuples(drawn[0])[:6] == [
        tuple(range(10)),
        (0, 1, 2, 3, 4),
        (0, 1, 2, 3, 5),
        (0, 1, 2, 3, 7),
        (0, 1, 2, 3, 9),
        (0, 1, 2, 4, 5),
    ]
    assert as_tuples(drawn[0]) != as_tuples(drawn[1])


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        (1, [(0,)]),
        (2, [(0, 1)]),
        (3, [(0, 1, 2), (0, 1), (0, 2), (1, 2)]),
    ],
)
def test_small_panels(members, expected):
    assert as_tuples(draw_subpanels([members])[0]) == expected


def test_a_large_panel_is_drawn_without_listing_its_combinations():
    drawn = draw_subpanels([66])[0]
    assert len(drawn) == 1 + 60 * 32 + 66 - 6
    assert len({tuple(row) for row in drawn}) == len(drawn)
    with pytest.raises(ValueError, match="66"):
        draw_subpanels([67])


def test_scores_are_those_of_each_subpanel_alone():
    panel = simulate(7, n_items=220, n_clusters=100, n_members=7, missing=0.2)
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    drawn = draw_subpanels([7], seed=3, max_per_size=6)[0]
    found = score_subpanels(panel.votes, panel.gold, folds, drawn)
    assert found.largest_gradient < 1e-10
    for row, subset in enumerate(drawn):
        alone = panel.select_members([m for m, kept in zip(panel.members, subset, strict=True) if kept])
        call = admissibility(alone.votes, alone.gold)
        verdicts = combine(alone).predictions
        scores = kappa(confusion(np.column_stack([verdicts["stacked"], verdicts["best_cv"]]), alone.gold))
        assert found.competent[row] == call.competent
        assert found.phi_bar[row] == pytest.approx(call.phi_bar, abs=1e-12)
        assert (found.stacked[row], found.best_cv[row]) == tuple(scores)


def test_blocks_of_subpanels_do_not_change_the_scores(monkeypatch):
    panel = simulate(9, n_items=120, n_clusters=60, n_members=5)
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    drawn = draw_subpanels([5])[0]
    whole = score_subpanels(panel.votes, panel.gold, folds, drawn)
    monkeypatch.setattr("analysis.estimators.thresholds.subpanels._BLOCK", 3 * 5 * 120)
    blocks = score_subpanels(panel.votes, panel.gold, folds, drawn)
    np.testing.assert_array_equal(blocks.stacked, whole.stacked)
    assert blocks.largest_gradient < 1e-10


def test_a_subpanel_without_a_readable_pair_has_no_phi_bar():
    panel = simulate(8, n_items=60, n_clusters=40, n_members=3)
    votes = panel.votes.copy()
    votes[:30, 0] = np.nan
    votes[30:, 1] = np.nan
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    found = score_subpanels(votes, panel.gold, folds, draw_subpanels([3])[0])
    assert np.isnan(found.phi_bar).tolist() == [False, True, False, False]
