"""Degenerate input: what is decided about it holds, and the user is told."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.alt_test.annotations import encode_humans, encode_test
from analysis.alt_test.procedure import alt_test
from analysis.alt_test.setup import Setup
from raim.errors import InputError
from tests.analysis.alt_test.simulated import crowd


def humans_of(labels, n=40, m=3):
    return {f"h{j}": {i: labels[(i + j) % len(labels)] for i in range(n)} for j in range(m)}


def test_ties_everywhere():
    """Everybody gives one label: d is 0 throughout and p at its limit; with epsilon > 0 the judge passes, flagged."""
    humans = humans_of(["a"])
    judge = dict.fromkeys(range(40), "a")
    result = alt_test(humans, {"f": judge}, Setup(epsilon=0.1))
    assert (result.judges["f"].winning_rate, result.judges["f"].advantage_probability) == (1.0, 1.0)
    assert "no variance" in result.warnings[0]
    at_zero = alt_test(humans, {"f": judge}, Setup(epsilon=0.0)).judges["f"]
    assert (at_zero.winning_rate, at_zero.passes) == (0.0, False)


def test_judge_always_worse():
    humans = humans_of(["a"])
    result = alt_test(humans, {"f": dict.fromkeys(range(40), "b")}).judges["f"]
    assert (result.winning_rate, result.advantage_probability) == (0.0, 0.0)
    assert all(part.plain.p_value == 1.0 for part in result.evidence.annotators)


def test_annotator_with_too_few_items_is_reported():
    """Skipped, listed with n and reason, warned of; its labels still represent it among the others."""
    humans, judge = crowd(np.random.default_rng(0), n_items=100, n_annotators=4, missing=0.0)
    humans["h3"] = dict(list(humans["h3"].items())[:12])
    result = alt_test(humans, {"f": judge})
    (skipped,) = result.judges["f"].evidence.skipped
    assert (skipped.annotator, skipped.n, skipped.reason) == ("h3", 12, "12 items, fewer than 30")
    assert set(result.judges["f"].plain.rejected) == {"h0", "h1", "h2"}
    assert "f: annotator 'h3' skipped: 12 items, fewer than 30" in result.warnings
    without = alt_test({n: humans[n] for n in ("h0", "h1", "h2")}, {"f": judge}).judges["f"]
    assert without.advantage_probability != result.judges["f"].advantage_probability


def test_fewer_than_30_items_are_tested_with_wilcoxon_where_allowed():
    humans, judge = crowd(np.random.default_rng(0), n_items=20, missing=0.0)
    result = alt_test(humans, {"f": judge}, Setup(min_items_per_annotator=10))
    assert {part.plain.method for part in result.judges["f"].evidence.annotators} == {"wilcoxon"}
    assert any("Wilcoxon's test, which rejects too often" in warning for warning in result.warnings)
    with_t = alt_test(humans, {"f": judge}, Setup(min_items_per_annotator=10, few_items="t"))
    for part in with_t.judges["f"].evidence.annotators:
        assert (part.plain.method, part.plain.flags[0]) == ("t", "fewer_than_30_items")
    assert any("fewer than 30 items" in warning for warning in with_t.warnings)


def test_all_annotators_dropped_is_an_error():
    humans, judge = crowd(np.random.default_rng(0), n_items=20, missing=0.0)
    with pytest.raises(InputError, match=r"no annotator has 30 items \(the most is 20\)"):
        alt_test(humans, {"f": judge})


def test_items_no_judge_labelled_are_counted():
    humans, judge = crowd(np.random.default_rng(1), n_items=60, missing=0.0)
    part = {item: label for item, label in judge.items() if int(item[1:]) < 45}
    result = alt_test(humans, {"f": part})
    assert all(comparison.n_unjudged == 15 for comparison in result.judges["f"].evidence.comparisons)
    assert any("gave no label on up to 15" in warning for warning in result.warnings)


def test_one_judge_of_two_without_a_result():
    """It is undefined with a reason; the other is tested all the same."""
    humans, judge = crowd(np.random.default_rng(1))
    result = alt_test(humans, {"f": judge, "g": {"elsewhere": "a"}, "s": dict(list(judge.items())[:9])})
    assert result.judges["f"].winning_rate is not None
    for name, words in (("g", "labelled no item"), ("s", "every annotator was skipped")):
        one = result.judges[name]
        assert (one.winning_rate, one.advantage_probability, one.passes) == (None, None, None)
        assert words in one.reason
        assert any(words in warning for warning in result.warnings)


def test_no_common_items_at_all():
    humans, judge = crowd(np.random.default_rng(1))
    with pytest.raises(InputError, match="name the items alike"):
        alt_test(humans, {"f": {f"x{item}": label for item, label in judge.items()}})


def test_two_annotators_are_warned_of():
    humans, judge = crowd(np.random.default_rng(2), n_annotators=2)
    result = alt_test(humans, {"f": judge})
    assert "two annotators only" in result.warnings[0]
    expert = alt_test(humans, {"f": judge}, Setup(reference=judge))
    assert not any("two annotators" in warning for warning in expert.warnings)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("1", 1, "numbers"),
        ("yes", True, "booleans"),
        (True, 1, "numbers"),
        ("a", ["a"], "structures"),
        (1.5, (1, 2), "structures"),
    ],
)
def test_mixed_labels(first, second, words):
    """1, "1" and true never match: a mix of types is an error that shows one of each."""
    humans = humans_of([first])
    with pytest.raises(InputError, match="mixed type") as caught:
        alt_test(humans, {"f": dict.fromkeys(range(40), second)})
    assert words in str(caught.value)
    assert repr(second) in str(caught.value)


def test_whole_and_broken_numbers_are_one_type():
    humans = humans_of([1, 2])
    assert (
        alt_test(humans, {"f": {i: float(1 + i % 2) for i in range(40)}}).judges["f"].winning_rate is not None
    )


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, ""])
def test_missing_labels_are_no_labels(missing):
    humans, judge = crowd(np.random.default_rng(3), missing=0.0)
    filled = {name: dict(labels) for name, labels in humans.items()}
    for i in range(10):
        filled["h0"][f"i{i}"] = missing
        del humans["h0"][f"i{i}"]
    filled_judge = {**judge, "i20": missing}
    del judge["i20"]
    first, second = (
        alt_test(humans, {"f": judge}).judges["f"],
        alt_test(filled, {"f": filled_judge}).judges["f"],
    )
    assert first.plain == second.plain
    assert [part.n for part in first.evidence.annotators] == [part.n for part in second.evidence.annotators]


def test_nothing_but_missing_labels():
    with pytest.raises(InputError, match="every label is missing"):
        encode_humans({"a": {0: None}, "b": {}})
    with pytest.raises(InputError, match="no human annotators"):
        encode_humans({})
    with pytest.raises(InputError, match="no judges"):
        encode_test({"a": {0: 1}}, {})


def test_unhashable_labels_are_compared_by_value():
    """Equal content is an equal label; order matters in lists, not in sets and dictionaries."""
    humans = {
        "a": {i: ["x", {"k": {1, 2}}] for i in range(40)},
        "b": {i: ["x", {"k": {2, 1}}] for i in range(40)},
        "c": {i: [{"k": {1, 2}}, "x"] for i in range(40)},
    }
    panel = encode_humans(humans)
    assert len(panel.vocabulary) == 2
    result = alt_test(humans, {"f": humans["a"]}).judges["f"].evidence.annotators
    assert [part.advantage for part in result] == [1.0, 1.0, 1.0]
    assert result[2].human_advantage == 0.0


def test_labels_that_cannot_be_compared():
    with pytest.raises(InputError, match="cannot be compared"):
        encode_humans({"a": {0: [np.zeros(2)]}, "b": {0: ["x"]}})


@pytest.mark.parametrize("value", [float("inf"), -float("inf")])
def test_infinite_labels(value):
    with pytest.raises(InputError, match="infinite label on 0"):
        encode_humans({"a": {0: value}, "b": {0: 1.0}})


def test_numpy_labels_are_their_values():
    humans = {name: {i: np.int64(i % 3) for i in range(40)} for name in "abc"}
    result = alt_test(humans, {"f": {i: i % 3 for i in range(40)}}, Setup(score="neg_rmse"))
    assert result.judges["f"].advantage_probability == 1.0


def test_fewer_than_two_humans_an_item():
    humans, judge = crowd(np.random.default_rng(4))
    with pytest.raises(InputError, match="at least 2 humans an item"):
        alt_test(humans, {"f": judge}, Setup(min_humans_per_item=1))
    with pytest.raises(InputError, match="at least 1 human"):
        alt_test(humans, {"f": judge}, Setup(min_humans_per_item=0, reference=judge))


def test_items_with_too_few_humans_are_left_out():
    humans, judge = crowd(np.random.default_rng(5), n_items=80, n_annotators=3, missing=0.4)
    counts = {item: sum(item in labels for labels in humans.values()) for item in judge}
    result = alt_test(humans, {"f": judge}, Setup(min_humans_per_item=3, min_items_per_annotator=5)).judges[
        "f"
    ]
    whole = sum(count == 3 for count in counts.values())
    assert [part.n for part in result.evidence.annotators] == [whole] * 3


def test_one_cluster_only_is_skipped():
    humans, judge = crowd(np.random.default_rng(6))
    with pytest.raises(InputError, match="one cluster"):
        alt_test(humans, {"f": judge}, Setup(clusters=lambda item: "one document"))
    two = alt_test(humans, {"f": judge, "g": {"i0": "a"}}, Setup(clusters=lambda item: item == "i59"))
    assert two.judges["f"].robust is not None
