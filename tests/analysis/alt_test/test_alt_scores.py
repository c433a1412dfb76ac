"""Alignment scores: against plain loops, and what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analysis.alt_test.procedure import alt_test
from analysis.alt_test.scores import Accuracy, CustomScore, EmbeddingSimilarity, Similarity, resolve_score
from analysis.alt_test.setup import Setup
from raim.errors import InputError
from tests.analysis.alt_test import plain
from tests.analysis.alt_test.simulated import crowd

WORDS = ("a red dog", "a dog", "a cat", "the red cat")


def jaccard(a, b):
    x, y = set(a.split()), set(b.split())
    return len(x & y) / len(x | y)


def mean_jaccard(label, others):
    return sum(jaccard(label, other) for other in others) / len(others)


def rates(result):
    return {
        part.annotator: (part.advantage, part.plain.p_value)
        for part in result.judges["f"].evidence.annotators
    }


def expected_rates(humans, judge, score, epsilon=0.2):
    _, _, p_values, _ = plain.alt_test(humans, judge, score, epsilon)
    return {
        name: (np.mean([w_f for *_, w_f, _ in plain.indicators(humans, judge, score, name)]), p_values[name])
        for name in p_values
    }


def assert_same(found, expected):
    assert set(found) == set(expected)
    for name, (advantage, p) in expected.items():
        assert found[name][0] == pytest.approx(advantage, abs=1e-14)
        assert found[name][1] == pytest.approx(p, rel=1e-9)


def test_similarity_by_a_function():
    humans, judge = crowd(np.random.default_rng(1), labels=WORDS, noise=0.6)
    found = rates(alt_test(humans, {"f": judge}, Setup(score=Similarity(jaccard))))
    assert_same(found, expected_rates(humans, judge, mean_jaccard))


def test_similarity_calls_the_function_once_a_pair():
    calls = []

    def counted(a, b):
        calls.append((a, b))
        return jaccard(a, b)

    humans, judge = crowd(np.random.default_rng(1), labels=WORDS)
    alt_test(humans, {"f": judge, "g": judge}, Setup(score=Similarity(counted)))
    assert len(calls) == len(set(calls)) <= len(WORDS) ** 2


def test_similarity_by_embeddings():
    humans, judge = crowd(np.random.default_rng(2), labels=WORDS, noise=0.6)
    vectors = {word: np.random.default_rng(i).normal(size=5) for i, word in enumerate(WORDS)}

    def cosine(label, others):
        a = vectors[label]
        cosines = [
            round(float(a @ vectors[o] / math.sqrt((a @ a) * (vectors[o] @ vectors[o]))), 12) for o in others
        ]
        return round(sum(cosines) / len(cosines), 10)

    found = rates(alt_test(humans, {"f": judge}, Setup(score=EmbeddingSimilarity(vectors))))
    assert_same(found, expected_rates(humans, judge, cosine))


@pytest.mark.parametrize(
    ("vectors", "word"),
    [
        ({"a red dog": [1.0]}, "no embedding"),
        ({w: [1.0] * (1 + (w == "a cat")) for w in WORDS}, "one length"),
        ({w: [0.0, float(w != "a cat")] for w in WORDS}, "'a cat' has no direction"),
    ],
)
def test_embeddings_refused(vectors, word):
    humans, judge = crowd(np.random.default_rng(2), labels=WORDS)
    with pytest.raises(InputError, match=word):
        alt_test(humans, {"f": judge}, Setup(score=EmbeddingSimilarity(vectors)))


def test_custom_callable():
    """A user's callable sees the label and the remaining annotators' labels, in the annotators' order."""
    humans, judge = crowd(np.random.default_rng(3), labels=WORDS, noise=0.6)

    def first_counts_double(label, others):
        return 2.0 * (label == others[0]) + sum(label == other for other in others[1:])

    found = rates(alt_test(humans, {"f": judge}, Setup(score=first_counts_double)))
    assert_same(found, expected_rates(humans, judge, first_counts_double))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, "0.5x"])
@pytest.mark.parametrize("kind", [Similarity, CustomScore])
def test_functions_must_return_numbers(kind, value):
    humans, judge = crowd(np.random.default_rng(3))
    with pytest.raises(InputError, match="finite number"):
        alt_test(humans, {"f": judge}, Setup(score=kind(lambda a, b: value)))


def test_custom_score_refuses_quality():
    humans, judge = crowd(np.random.default_rng(3))
    quality = {name: 1.0 + index for index, name in enumerate(humans)}
    score = CustomScore(plain.accuracy)
    with pytest.raises(InputError, match="sees no annotator quality"):
        alt_test(humans, {"f": judge}, Setup(score=score, quality=quality))
    alt_test(humans, {"f": judge}, Setup(score=score, quality=quality, quality_in_scores=False))


def test_ranks_on_complete_labels():
    """With complete labels it is negative RMSE of scipy's ranks."""
    from scipy.stats import rankdata

    humans, judge = crowd(np.random.default_rng(5), labels=(1, 2, 3, 4, 5), noise=0.6, missing=0.0)

    def ranked(labels):
        return dict(zip(labels, rankdata(list(labels.values())).tolist(), strict=True))

    found = rates(alt_test(humans, {"f": judge}, Setup(score="rank")))
    expected = expected_rates({n: ranked(h) for n, h in humans.items()}, ranked(judge), plain.neg_rmse)
    assert_same(found, expected)


def test_ranks_do_not_see_the_scale():
    """A judge on another scale has the same ranks, and the same result; under negative RMSE it would not."""
    humans, judge = crowd(np.random.default_rng(5), labels=(1, 2, 3, 4, 5), noise=0.6)
    stretched = {item: 10.0 * label + 7.0 for item, label in judge.items()}
    extra = {**stretched, "item nobody saw": 1000.0}
    both = alt_test(humans, {"f": judge, "g": stretched, "h": extra}, Setup(score="rank")).judges
    assert both["f"].plain == both["g"].plain == both["h"].plain
    plain_score = alt_test(humans, {"f": judge, "g": stretched}, Setup(score="neg_rmse")).judges
    assert plain_score["f"].advantage_probability > plain_score["g"].advantage_probability


@pytest.mark.parametrize("score", ["neg_rmse", "rank"])
@pytest.mark.parametrize("labels", [("a", "b", "c"), (True, False)])
def test_numbers_needed(score, labels):
    humans, judge = crowd(np.random.default_rng(6), labels=labels)
    with pytest.raises(InputError, match="needs numbers"):
        alt_test(humans, {"f": judge}, Setup(score=score))


def test_label_weighted_accuracy():
    """D.4: a weighted label counts for more; by hand and against a callable with the same formula."""
    weights = {"c": 3.0}

    def weighted(label, others):
        values = [weights.get(other, 1.0) for other in others]
        return sum(v for v, other in zip(values, others, strict=True) if other == label) / sum(values)

    humans, judge = crowd(np.random.default_rng(7), noise=0.6)
    found = rates(alt_test(humans, {"f": judge}, Setup(score=Accuracy(label_weights=weights))))
    assert_same(found, expected_rates(humans, judge, weighted))

    # One of two remaining annotators flags the item: the judge that flags it too now beats the one that does not.
    humans = {f"h{j}": dict.fromkeys(range(40), "ok") for j in range(3)}
    humans["h2"] = dict.fromkeys(range(40), "offensive")
    score = Accuracy(label_weights={"offensive": 3.0})
    part = alt_test(humans, {"f": humans["h2"]}, Setup(score=score)).judges["f"].evidence.comparisons[0]
    assert part.judge_wins.all()
    assert not part.human_wins.any()
    equal = alt_test(humans, {"f": humans["h2"]}).judges["f"].evidence.comparisons[0]
    assert equal.human_wins.all()


@pytest.mark.parametrize(
    ("weights", "word"),
    [({"z": 2.0}, "nobody gave"), ({"a": 0.0}, "positive"), ({"a": float("nan")}, "positive")],
)
def test_label_weights_refused(weights, word):
    humans, judge = crowd(np.random.default_rng(7))
    with pytest.raises(InputError, match=word):
        alt_test(humans, {"f": judge}, Setup(score=Accuracy(label_weights=weights)))


def test_unknown_score():
    with pytest.raises(InputError, match="unknown score 'f1'"):
        resolve_score("f1")
