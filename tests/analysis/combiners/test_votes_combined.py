"""Tie rules, abstentions and degenerate folds of the combiners; their values are compared with loops elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.combiners import weighted
from analysis.combiners.best_single import best_cv, best_on_average, oracle
from analysis.combiners.competence import training_competence
from analysis.combiners.encodings import categorical, imputed, indicator
from analysis.combiners.stacked import stacked
from analysis.combiners.unweighted import unweighted
from tests.analysis.simulate import simulate

NAN = np.nan


def test_majority_ties_are_hallucinated_and_silence_abstains():
    votes = np.array([[1, 0, NAN], [1, 0, 0], [NAN, NAN, NAN], [0, NAN, NAN], [1, 1, 0]])
    np.testing.assert_array_equal(unweighted(votes), [1, 0, NAN, 0, 1])


@pytest.fixture
def fixed_competence(monkeypatch):
    """Put the members' competence in place of what the training folds say."""

    def put(values):
        monkeypatch.setattr(weighted, "training_competence", lambda *_: np.array([values]))

    return put


def vote(combiner, row):
    result = combiner(np.array([row], dtype=float), np.array([1]), np.array([0]), 1)
    return result.predictions[0]


def test_accuracy_weighted_tie_is_hallucinated_whatever_the_order_of_the_sum(fixed_competence):
    # 0.1 + 0.2 against 0.3: a tie on paper that floating point misses.
    fixed_competence([0.55, 0.60, 0.65])
    assert vote(weighted.accuracy_weighted, [1, 1, 0]) == 1
    assert vote(weighted.accuracy_weighted, [0, 0, 1]) == 1


def test_accuracy_weighted_gives_a_bad_member_no_say(fixed_competence):
    fixed_competence([0.2, 0.6, 0.3])
    assert vote(weighted.accuracy_weighted, [1, 0, 1]) == 0


def test_accuracy_weighted_without_weight_is_the_majority(fixed_competence):
    fixed_competence([0.2, 0.5, 0.3])
    assert vote(weighted.accuracy_weighted, [0, 1, 1]) == 1
    assert vote(weighted.accuracy_weighted, [0, 1, NAN]) == 1
    assert vote(weighted.accuracy_weighted, [0, NAN, NAN]) == 0


def test_accuracy_weighted_looks_at_the_committed_members_only(fixed_competence):
    fixed_competence([0.9, 0.4, 0.4])
    assert vote(weighted.accuracy_weighted, [NAN, 1, 0]) == 1
    assert vote(weighted.accuracy_weighted, [0, 1, 1]) == 0


def test_log_odds_tie_is_supported_and_a_bad_member_is_inverted(fixed_competence):
    fixed_competence([0.7, 0.3, 0.5])
    assert vote(weighted.log_odds_weighted, [1, 1, 1]) == 0
    assert vote(weighted.log_odds_weighted, [NAN, 0, NAN]) == 1
    assert vote(weighted.log_odds_weighted, [NAN, NAN, 1]) == 0
    fixed_competence([0.9, 0.8, 0.8])
    assert vote(weighted.log_odds_weighted, [1, 0, NAN]) == 1


def test_log_odds_weights_are_clipped(fixed_competence):
    fixed_competence([1.0, 0.0])
    result = weighted.log_odds_weighted(np.array([[1.0, 0.0]]), np.array([1]), np.array([0]), 1)
    np.testing.assert_allclose(result.weights, [[np.log(999), -np.log(999)]])


@pytest.mark.parametrize("combiner", [weighted.accuracy_weighted, weighted.log_odds_weighted])
def test_nobody_committed_abstains(combiner, fixed_competence):
    fixed_competence([0.9, 0.2])
    assert np.isnan(vote(combiner, [NAN, NAN]))


def test_competence_is_read_outside_the_fold_and_a_half_without_a_class():
    votes = np.array([[1, NAN], [0, NAN], [0, 1], [1, 0]], dtype=float)
    gold, folds = np.array([1, 0, 1, 0]), np.array([0, 0, 1, 1])
    np.testing.assert_array_equal(training_competence(votes, gold, folds, 2), [[0.0, 1.0], [1.0, 0.5]])


def test_best_cv_takes_the_first_of_equals_and_keeps_its_abstentions():
    votes = np.array([[1, 1], [0, 0], [NAN, 1], [0, 0]], dtype=float)
    gold, folds = np.array([1, 0, 1, 0]), np.array([0, 0, 1, 1])
    chosen = best_cv(votes, gold, folds, 2)
    # Outside fold 0 the first member has one class only, hence 0.5 against 1.0; outside fold 1 both have 1.0.
    assert chosen.choice.tolist() == [1, 0]
    np.testing.assert_array_equal(chosen.predictions, [1, 0, NAN, 0])


def test_oracle_takes_the_first_of_equals_and_passes_over_undefined_ones():
    gold = np.array([1, 0, 1, 0])
    votes = np.array([[1, 1, 1], [NAN, 0, 0], [1, 1, 1], [NAN, 0, 0]], dtype=float)
    assert oracle(votes, gold) == 1
    assert oracle(votes[:, :1], gold) is None


def test_best_on_average_needs_a_kappa_everywhere():
    kappas = {
        "x": {"a": 0.5, "b": 0.6, "c": 0.9, "d": 0.1},
        "y": {"a": 0.5, "b": 0.4, "c": None, "d": 0.2},
        "z": {"a": 0.5, "b": 0.5, "c": 0.9},
    }
    assert best_on_average(kappas) == "a"
    assert best_on_average({"x": {"c": None}}) is None
    assert best_on_average({}) is None


def test_encodings():
    votes = np.array([[1, NAN], [0, 1]], dtype=float)
    np.testing.assert_array_equal(imputed(votes), [[1, 0.5], [0, 1]])
    np.testing.assert_array_equal(categorical(votes), [[1, 0, 0, 1], [0, 0, 1, 0]])
    np.testing.assert_array_equal(indicator(votes), categorical(votes))


def test_stacker_takes_the_majority_where_training_has_one_class():
    # All hallucinated items lie in fold 1: outside fold 1 the training items are of one class.
    votes = np.array([[1, 0, 0], [0, 0, 1], [1, 1, 0], [0, 1, 0], [NAN, NAN, NAN]], dtype=float)
    gold, folds = np.array([0, 0, 1, 1, 0]), np.array([0, 0, 1, 1, 1])
    result = stacked(votes, gold, folds, 2)
    assert result.fitted.tolist() == [True, False]
    np.testing.assert_array_equal(result.predictions[2:], unweighted(votes)[2:])
    assert np.isnan(result.coefficients[1]).all()
    assert np.isnan(result.margins[2:]).all()
    assert not np.isnan(result.predictions[:2]).any()


def test_stacker_reads_an_exact_tie_as_supported():
    # Symmetric training: the mirrored fit gives log-odds of exactly 0 on an item where nobody votes.
    votes = np.array([[1, 1], [0, 0], [1, 1], [0, 0], [NAN, NAN]], dtype=float)
    gold, folds = np.array([1, 0, 1, 0, 1]), np.array([0, 0, 0, 0, 1])
    result = stacked(votes, gold, folds, 2)
    assert abs(result.margins[4]) < 1e-9
    assert result.predictions[4] == 0


def test_stacker_never_sees_the_gold_of_the_fold_it_predicts():
    panel = simulate(11)
    folds = np.arange(panel.n_items) % 5
    honest = stacked(panel.votes, panel.gold, folds, 5)
    flipped = np.where(folds == 2, 1 - panel.gold, panel.gold)
    told = stacked(panel.votes, flipped, folds, 5)
    np.testing.assert_array_equal(honest.predictions[folds == 2], told.predictions[folds == 2])
    assert not np.array_equal(honest.margins[folds == 1], told.margins[folds == 1])
