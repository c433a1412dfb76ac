"""Changes of a panel that must change nothing, or mirror the result."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.estimators.combine import combine
from analysis.estimators.ladder import ladder
from analysis.panel.votes import vote_matrix
from tests.analysis.simulate import simulate

DRAWS = 30
NAN = np.nan


def rebuilt(panel, *, members=None, clusters=None, gold=None, votes=None, rows=None, columns=None):
    """The panel with parts replaced or reordered."""
    rows = np.arange(panel.n_items) if rows is None else rows
    columns = np.arange(panel.n_members) if columns is None else columns
    names = list(panel.members if members is None else members)
    ids = [panel.clusters[c] for c in panel.cluster] if clusters is None else clusters
    votes = panel.votes if votes is None else votes
    gold = panel.gold if gold is None else gold
    return vote_matrix(
        [names[j] for j in columns],
        [panel.uids[i] for i in rows],
        [ids[i] for i in rows],
        gold[rows],
        votes[np.ix_(rows, columns)],
    )


def plain_values(result):
    return json.loads(json.dumps(result, allow_nan=False))


@given(seed=st.integers(0, 1000))
@settings(max_examples=8, deadline=None, derandomize=True)
def test_order_of_items_and_columns_changes_nothing(seed):
    panel = simulate(seed, n_items=90, n_clusters=25, n_members=4)
    rng = np.random.default_rng(seed)
    shuffled = rebuilt(panel, rows=rng.permutation(panel.n_items), columns=rng.permutation(panel.n_members))
    ours, theirs = ladder(panel, n_draws=DRAWS), ladder(shuffled, n_draws=DRAWS)
    assert plain_values(ours["methods"]) == plain_values(theirs["methods"])
    assert plain_values(ours["deltas"]) == plain_values(theirs["deltas"])
    assert ours["choices"] == theirs["choices"]
    for name, weight in ours["weights"]["stacked"]["members"].items():
        assert theirs["weights"]["stacked"]["members"][name]["mean"] == pytest.approx(
            weight["mean"], abs=1e-10
        )


@pytest.mark.parametrize("rename", [lambda c: f"{c + 1000}", lambda c: 3 * c - 50, lambda c: f"doc-{c:04d}"])
def test_names_of_clusters_in_the_same_order_change_nothing(rename):
    panel = simulate(21)
    other = rebuilt(panel, clusters=[rename(int(c)) for c in panel.cluster])
    assert plain_values(ladder(panel, n_draws=DRAWS)) == plain_values(ladder(other, n_draws=DRAWS))


def test_order_of_clusters_matters():
    panel = simulate(21)
    other = rebuilt(panel, clusters=[1000 - int(c) for c in panel.cluster])
    ours, theirs = ladder(panel, n_draws=DRAWS), ladder(other, n_draws=DRAWS)
    assert ours["methods"]["unweighted"]["kappa"]["low"] != theirs["methods"]["unweighted"]["kappa"]["low"]
    assert (
        ours["methods"]["unweighted"]["kappa"]["estimate"]
        == theirs["methods"]["unweighted"]["kappa"]["estimate"]
    )


def test_flipping_gold_and_votes_mirrors_the_fit():
    panel = simulate(22)
    mirror = rebuilt(panel, gold=1 - panel.gold, votes=1 - panel.votes)
    ours, theirs = combine(panel), combine(mirror)
    np.testing.assert_allclose(theirs.stacked.coefficients, ours.stacked.coefficients, atol=1e-9)
    # sigma(-(b0 + sum b v)) at votes 1 - v: the intercept of the mirror is -(b0 + sum b).
    np.testing.assert_allclose(
        theirs.stacked.intercepts,
        -(ours.stacked.intercepts + ours.stacked.coefficients.sum(axis=1)),
        atol=1e-9,
    )
    np.testing.assert_allclose(theirs.stacked.margins, -ours.stacked.margins, atol=1e-9)
    np.testing.assert_allclose(theirs.log_odds_weighted.weights, ours.log_odds_weighted.weights, atol=1e-12)
    np.testing.assert_array_equal(theirs.best_cv.choice, ours.best_cv.choice)
    np.testing.assert_allclose(theirs.dawid_skene.posteriors, 1 - ours.dawid_skene.posteriors, atol=1e-7)


def test_a_duplicated_member_shares_its_twins_weight():
    panel = simulate(23)
    twin = vote_matrix(
        [*panel.members, "judge-2-twin"],
        panel.uids,
        [panel.clusters[c] for c in panel.cluster],
        panel.gold,
        np.column_stack([panel.votes, panel.votes[:, 2]]),
    )
    fits = ladder(twin, n_draws=2)["weights"]["stacked"]["members"]
    assert fits["judge-2"]["mean"] == pytest.approx(fits["judge-2-twin"]["mean"], abs=1e-9)
    assert fits["judge-2"]["rank"] == fits["judge-2-twin"]["rank"]
    # Together they carry what one carried under half the penalty: more than one alone, less than twice it.
    alone = ladder(panel, n_draws=2)["weights"]["stacked"]["members"]["judge-2"]["mean"]
    assert abs(alone) < abs(2 * fits["judge-2"]["mean"]) < 2 * abs(alone)


def test_an_echo_is_discounted_and_an_anticorrelated_member_gets_a_negative_weight():
    rng = np.random.default_rng(5)
    gold = np.repeat([0, 1], 400)
    leader = np.where(rng.random(800) < 0.85, gold, 1 - gold)
    echo = np.where(rng.random(800) < 0.9, leader, 1 - leader)
    contrary = np.where(rng.random(800) < 0.3, gold, 1 - gold)
    panel = vote_matrix(
        ["leader", "echo", "contrary"],
        [str(i) for i in range(800)],
        list(range(400)) * 2,
        gold,
        np.column_stack([leader, echo, contrary]),
    )
    weights = ladder(panel, n_draws=2)["weights"]
    stacked = {name: weights["stacked"]["members"][name]["mean"] for name in panel.members}
    assert stacked["contrary"] < -0.5
    assert abs(stacked["echo"]) < 0.25 * stacked["leader"]
    # Each in isolation, the echo looks nearly as good as its leader.
    accuracy = weights["accuracy_weighted"]
    assert accuracy["echo"]["mean"] > 0.7 * accuracy["leader"]["mean"]


def test_one_member_is_the_panel():
    result = ladder(simulate(24, n_members=1, missing=0.0), n_draws=DRAWS)
    methods = result["methods"]
    for name in ("unweighted", "average_member", "best_cv", "oracle"):
        assert methods[name]["kappa"] == methods["stacked"]["kappa"], name
    assert result["deltas"]["stacked-best_cv"]["kappa"]["reading"] == "no difference"
    assert result["verdict"] == "tie"
    assert result["admissibility"]["phi_bar"] is None
    assert result["admissibility"]["reason"] == "one member: no pair"
    assert result["admissibility"]["n_eff"] == 1.0


def test_an_item_on_which_all_abstain():
    panel = simulate(25)
    votes = panel.votes.copy()
    votes[7] = NAN
    result = ladder(rebuilt(panel, votes=votes), n_draws=DRAWS)
    assert result["methods"]["unweighted"]["kappa"]["n_scored"] == panel.n_items - 1
    assert result["methods"]["accuracy_weighted"]["kappa"]["n_scored"] == panel.n_items - 1
    assert result["methods"]["log_odds_weighted"]["kappa"]["n_scored"] == panel.n_items - 1
    # The stacker imputes and Dawid-Skene has its prior: both are scored on every item.
    assert result["methods"]["stacked"]["kappa"]["n_scored"] == panel.n_items
    assert result["methods"]["dawid_skene"]["kappa"]["n_scored"] == panel.n_items
    assert result["methods"]["unweighted"]["balanced_accuracy"]["n_scored"] == panel.n_items


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_a_constant_member(label):
    panel = simulate(26)
    votes = panel.votes.copy()
    votes[:, 3] = label
    result = ladder(rebuilt(panel, votes=votes), n_draws=DRAWS)
    member = result["members"]["judge-3"]
    assert (member["kappa"], member["balanced_accuracy"], member["coverage"]) == (0.0, 0.5, 1.0)
    # It moves every item's log-odds alike, as the free intercept does: the penalty leaves it nothing.
    assert result["weights"]["stacked"]["members"]["judge-3"]["mean"] == pytest.approx(0, abs=1e-9)
    assert result["weights"]["accuracy_weighted"]["judge-3"]["mean"] == 0
    # Its verdict never varies, its errors do.
    assert result["admissibility"]["pairs"]["constant"] == 0


def test_a_member_that_commits_on_one_class_only_has_no_kappa():
    panel = simulate(27)
    votes = panel.votes.copy()
    votes[panel.gold == 0, 1] = NAN
    result = ladder(rebuilt(panel, votes=votes), n_draws=DRAWS)
    member = result["members"]["judge-1"]
    assert member["kappa"] is None
    assert member["reason"] == "all committed items have gold 1"
    assert member["resamples"]["kappa"] == {
        "resample_mean": None,
        "low": None,
        "high": None,
        "undefined_draws": DRAWS,
    }
    assert result["methods"]["average_member"]["kappa"]["undefined_draws"] == 0


def test_when_no_member_has_a_kappa_the_oracle_is_undefined():
    panel = simulate(28, n_members=2)
    votes = panel.votes.copy()
    votes[panel.gold == 0, 0] = NAN
    votes[panel.gold == 1, 1] = NAN
    result = ladder(rebuilt(panel, votes=votes), n_draws=DRAWS)
    assert result["choices"]["oracle"] is None
    for entry in (result["methods"]["oracle"]["kappa"], result["deltas"]["stacked-oracle"]["kappa"]):
        assert entry["estimate"] is None
        assert entry["reason"] == "no member has a defined kappa"
    assert result["methods"]["average_member"]["kappa"]["reason"] == "no member has a defined score"
    plain_values(result)


def test_a_fold_whose_training_has_one_class():
    # Both hallucinated items share a cluster: the fold that holds it trains on supported items alone.
    panel = simulate(29, n_items=30, n_clusters=12, n_members=3, missing=0)
    gold = np.zeros(30, dtype=int)
    gold[[0, 1]] = 1
    clusters = [int(c) for c in panel.cluster]
    clusters[1] = clusters[0]
    clusters[2] = 1
    result = ladder(rebuilt(panel, gold=gold, clusters=clusters), n_draws=DRAWS)
    assert result["weights"]["stacked"]["n_fits"] == 4
    assert result["weights"]["stacked"]["intercept"]["folds"].count(None) == 1
    assert result["methods"]["stacked"]["kappa"]["undefined_draws"] > 0
    plain_values(result)


def test_best_on_average_is_the_suites_choice():
    panel = simulate(30)
    assert "best_on_average" not in ladder(panel, n_draws=2)["methods"]
    result = ladder(panel, best_on_average="judge-4", n_draws=DRAWS)
    assert result["methods"]["best_on_average"]["kappa"]["estimate"] == result["members"]["judge-4"]["kappa"]
    assert "stacked-best_on_average" in result["deltas"]


def test_members_may_be_called_like_methods():
    panel = simulate(31, n_members=3)
    named = rebuilt(panel, members=["best_cv", "stacked", "unweighted"])
    ours, theirs = ladder(panel, n_draws=DRAWS), ladder(named, n_draws=DRAWS)
    assert ours["methods"] == theirs["methods"]
    assert list(theirs["members"].values()) == list(ours["members"].values())
