from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, f1_score

from analysis.metrics.balanced_accuracy import balanced_accuracy, committed_balanced_accuracy
from analysis.metrics.confusion import confusion, confusion_by_group
from analysis.metrics.coverage import coverage
from analysis.metrics.f1 import hallucinated_f1
from analysis.metrics.kappa import kappa, why_undefined

NAN = np.nan


def counts(gold, verdicts):
    return confusion(np.array(verdicts, dtype=float)[:, None], np.array(gold))


@pytest.fixture(params=range(6))
def sample(request):
    rng = np.random.default_rng(request.param)
    n = int(rng.integers(20, 200))
    gold = (rng.random(n) < rng.uniform(0.2, 0.8)).astype(int)
    verdicts = np.where(rng.random(n) < 0.7, gold, 1 - gold).astype(float)
    verdicts[rng.random(n) < 0.1] = NAN
    return gold, verdicts


def test_against_scikit_learn(sample):
    gold, verdicts = sample
    committed = ~np.isnan(verdicts)
    score = counts(gold, verdicts)
    given = gold[committed], verdicts[committed].astype(int)
    assert kappa(score)[0] == pytest.approx(cohen_kappa_score(*given), abs=1e-14)
    assert committed_balanced_accuracy(score)[0] == pytest.approx(balanced_accuracy_score(*given), abs=1e-14)
    assert coverage(score)[0] == committed.mean()
    # An abstention is an error against its class: the other label in its place scores the same.
    charged = np.where(committed, verdicts, 1 - gold).astype(int)
    assert balanced_accuracy(score)[0] == pytest.approx(balanced_accuracy_score(gold, charged), abs=1e-14)
    missed = np.where(committed, verdicts, 0).astype(int)
    assert hallucinated_f1(score)[0] == pytest.approx(f1_score(gold, missed), abs=1e-14)


def test_on_balanced_full_coverage_kappa_is_twice_balanced_accuracy_less_one():
    rng = np.random.default_rng(3)
    gold = np.repeat([0, 1], 150)
    score = counts(gold, rng.integers(0, 2, 300))
    assert kappa(score)[0] == pytest.approx(2 * balanced_accuracy(score)[0] - 1, abs=1e-15)


@pytest.mark.parametrize(
    ("gold", "verdicts", "reason"),
    [
        ([0, 1], [NAN, NAN], "no committed item"),
        ([0, 1], [1, NAN], "one committed item"),
        ([0, 1, 1], [NAN, 1, 0], "all committed items have gold 1"),
        ([0, 0], [0, 1], "all committed items have gold 0"),
    ],
)
def test_undefined_kappa_says_why(gold, verdicts, reason):
    score = counts(gold, verdicts)
    assert np.isnan(kappa(score)[0])
    one = type(score)(*(np.asarray(field[0]) for field in score.fields()))
    assert why_undefined(one) == reason


def test_a_constant_predictor_agrees_as_chance_would():
    score = counts([0, 1, 1], [1, 1, 1])
    assert kappa(score)[0] == 0
    assert np.isnan(kappa(score, constant_undefined=True)[0])
    assert kappa(counts([0, 1], [1, 0]), constant_undefined=True)[0] == -1


def test_balanced_accuracy_leaves_out_a_class_that_is_not_there():
    assert balanced_accuracy(counts([1, 1, 1], [1, NAN, 1]))[0] == pytest.approx(2 / 3)
    assert committed_balanced_accuracy(counts([1, 1, 0], [1, 1, NAN]))[0] == 0.5


def test_equal_scores_are_equal_in_floating_point():
    # 1/3 and 2/3 in either order: a mean of rounded recalls would differ in the last place for some of these.
    rng = np.random.default_rng(0)
    for _ in range(200):
        n0, n1, tp, tn = rng.integers(1, 40, 4)
        tp, tn = min(tp, n1), min(tn, n0)
        gold = np.r_[np.zeros(n0, int), np.ones(n1, int)]
        verdicts = np.r_[np.arange(n0) >= tn, np.arange(n1) < tp].astype(int)
        for factor in (2, 3, 7):
            once, many = counts(gold, verdicts), counts(np.tile(gold, factor), np.tile(verdicts, factor))
            assert kappa(once)[0] == kappa(many)[0]
            assert balanced_accuracy(once)[0] == balanced_accuracy(many)[0]


def test_counts_by_group_add_up(sample):
    gold, verdicts = sample
    groups = np.arange(len(gold)) % 4
    by_group = confusion_by_group(verdicts[:, None], gold, groups, 4)
    rest = by_group.without_group()
    whole = counts(gold, verdicts)
    for field, others, total in zip(by_group.fields(), rest.fields(), whole.fields(), strict=True):
        np.testing.assert_array_equal(field + others, np.broadcast_to(total, (4, 1)))
    for group in range(4):
        inside = counts(gold[groups == group], verdicts[groups == group])
        for field, alone in zip(by_group.fields(), inside.fields(), strict=True):
            np.testing.assert_array_equal(field[group], alone)


def test_f1_without_any_positive_is_undefined():
    assert np.isnan(hallucinated_f1(counts([0, 0], [0, NAN]))[0])
