"""Leave-one-out and panel size against the estimators on each smaller panel alone."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.estimators.combine import combine
from analysis.estimators.evaluation import evaluate
from analysis.estimators.leave_one_out import leave_one_out
from analysis.estimators.panel_size import decorrelating_order, panel_size
from analysis.panel.votes import vote_matrix
from tests.analysis.simulate import simulate

N_DRAWS = 200


@pytest.fixture(scope="module")
def panel():
    return simulate(11, n_items=260, n_clusters=120, n_members=5, missing=0.1)


def test_leaving_one_out_is_the_panel_without_it(panel):
    found = leave_one_out(panel, N_DRAWS)
    assert found.largest_gradient < 1e-10
    full = combine(panel).predictions
    for member in panel.members:
        reduced = combine(panel.select_members([m for m in panel.members if m != member])).predictions
        plain = evaluate(
            {"full": full["stacked"], "without": reduced["stacked"], "single": reduced["best_cv"]},
            panel.gold,
            panel.cluster,
            n_draws=N_DRAWS,
        )
        assert found.scores.score(f"stacked:{member}", "kappa") == plain.score("without", "kappa")
        assert found.scores.score(f"best_cv:{member}", "kappa") == plain.score("single", "kappa")
        delta = found.scores.delta(f"stacked:{member}", "stacked", "kappa")
        assert delta == plain.delta("without", "full", "kappa")
        levels = [
            found.scores.score(name, "kappa")["resample_mean"] for name in (f"stacked:{member}", "stacked")
        ]
        assert delta["resample_mean"] == pytest.approx(levels[0] - levels[1], abs=1e-12)


def test_every_size_is_the_panel_of_the_first_members(panel):
    found = panel_size(panel, list(range(5)), N_DRAWS)
    for size in range(1, 6):
        names = [panel.members[column] for column in found.order[:size]]
        alone = combine(panel.select_members(names)).predictions
        plain = evaluate(
            {m: alone[m] for m in ("stacked", "unweighted")}, panel.gold, panel.cluster, n_draws=N_DRAWS
        )
        for method in ("stacked", "unweighted"):
            assert found.scores.score(f"{method}:{size}", "kappa") == plain.score(method, "kappa")
    assert np.isnan(found.mean_phi[0])


def test_the_order_starts_with_the_best_and_adds_the_least_correlated():
    phi = np.array(
        [
            [1.0, 0.5, 0.2, np.nan],
            [0.5, 1.0, 0.1, 0.0],
            [0.2, 0.1, 1.0, 0.9],
            [np.nan, 0.0, 0.9, 1.0],
        ]
    )
    assert decorrelating_order(phi, 0, [0, 1, 2, 3]) == [0, 2, 1, 3]
    # Equal means go by the roster.
    equal = np.full((3, 3), 0.4)
    assert decorrelating_order(equal, 1, [2, 0, 1]) == [1, 2, 0]


def test_a_twin_joins_last_and_costs_nothing():
    """A second copy of a member shares all its errors: it is added last, and either can be spared."""
    panel = simulate(12, n_items=300, n_clusters=150, n_members=4, missing=0.0)
    votes = np.column_stack([panel.votes, panel.votes[:, 1]])
    twins = vote_matrix(
        [*panel.members, "twin"], panel.uids, [panel.clusters[c] for c in panel.cluster], panel.gold, votes
    )
    order = panel_size(twins, list(range(5)), 50).order
    assert {order.index(1), order.index(4)} >= {4}


def test_a_panel_of_one_has_one_size():
    panel = simulate(13, n_members=1)
    found = panel_size(panel, [0], 50)
    assert found.order == (0,)
    assert found.scores.score("stacked:1", "kappa")["estimate"] is not None
