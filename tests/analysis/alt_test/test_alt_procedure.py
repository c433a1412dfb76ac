"""The test itself: against plain loops, against the published values, and by its laws."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.alt_test.labels import ABSTAINED
from analysis.alt_test.procedure import alt_test
from analysis.alt_test.setup import Setup
from raim.errors import InputError
from tests.analysis.alt_test import plain
from tests.analysis.alt_test.simulated import crowd

PUBLISHED = {
    "framing": ("accuracy", 0.15),
    "cebab_aspects": ("accuracy", 0.1),
    "summeval": ("neg_rmse", 0.2),
    "lesion": ("neg_rmse", 0.15),
}


@pytest.mark.parametrize(("name", "score", "epsilon"), [(k, *v) for k, v in PUBLISHED.items()])
def test_published_values(shared_data, shared_spec, name, score, epsilon):
    """Omega and rho of every judge equal those of the published implementation."""
    folder = shared_data / "alt_test" / name
    humans = json.loads((folder / "human_annotations.json").read_text())
    judges = json.loads((folder / "llm_annotations.json").read_text())
    expected = json.loads((shared_spec / "alt_test_reference.json").read_text())[name]
    result = alt_test(humans, judges, Setup(score=score, epsilon=epsilon))
    assert set(result.judges) == set(expected)
    for judge, values in expected.items():
        assert result.judges[judge].winning_rate == pytest.approx(values["winning_rate"], abs=1e-12)
        assert result.judges[judge].advantage_probability == pytest.approx(
            values["advantage_probability"], abs=1e-12
        )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["accuracy", "neg_rmse"])
def test_plain_loops(seed, kind):
    """Every number equals that of plain loops with scipy's t-test and statsmodels' fdr_by."""
    rng = np.random.default_rng(seed)
    labels = ("a", "b", "c") if kind == "accuracy" else (1, 2, 3, 4, 5)
    humans, judge = crowd(rng, n_items=80, n_annotators=5, labels=labels, noise=0.5)
    result = alt_test(humans, {"f": judge}, Setup(score=kind, epsilon=0.1)).judges["f"]
    omega, rho, p_values, sizes = plain.alt_test(humans, judge, getattr(plain, kind), 0.1)
    assert result.winning_rate == pytest.approx(omega, abs=1e-15)
    assert result.advantage_probability == pytest.approx(rho, abs=1e-14)
    found = {part.annotator: part for part in result.evidence.annotators}
    assert list(found) == list(p_values)
    for name, p in p_values.items():
        assert found[name].plain.p_value == pytest.approx(p, rel=1e-10, abs=1e-300)
        assert found[name].n == sizes[name]


def test_judges_do_not_influence_each_other():
    """A judge's result is the same alone and beside others, although the labels are coded together."""
    humans, judge = crowd(np.random.default_rng(0))
    _, other = crowd(np.random.default_rng(1), labels=("a", "z"))
    alone = alt_test(humans, {"f": judge}).judges["f"]
    beside = alt_test(humans, {"g": other, "f": judge}).judges["f"]
    assert alone.plain == beside.plain
    assert alone.evidence.annotators == beside.evidence.annotators


@given(seed=st.integers(0, 10_000), order=st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_order_and_names_change_nothing(seed, order):
    """Permuting annotators and items and renaming labels changes no number."""
    humans, judge = crowd(np.random.default_rng(seed), n_items=50)
    names = list(humans)
    order.shuffle(names)
    rename = {"a": "zz", "b": "y", "c": "x"}

    def shuffled(labels: Mapping[str, str]) -> dict[str, str]:
        items = list(labels)
        order.shuffle(items)
        return {item: rename[labels[item]] for item in items}

    setup = Setup(min_items_per_annotator=10)
    first = alt_test(humans, {"f": judge}, setup).judges["f"]
    second = alt_test({n: shuffled(humans[n]) for n in names}, {"f": shuffled(judge)}, setup).judges["f"]
    assert first.winning_rate == second.winning_rate
    assert first.advantage_probability == pytest.approx(second.advantage_probability, abs=1e-14)
    by_name = {part.annotator: part.plain.p_value for part in second.evidence.annotators}
    for part in first.evidence.annotators:
        assert part.plain.p_value == pytest.approx(by_name[part.annotator], rel=1e-9)


def test_an_annotator_as_judge_ties_with_itself():
    """A judge that repeats annotator h0 ties with h0 everywhere, and passes against it with any positive epsilon."""
    humans, _ = crowd(np.random.default_rng(3), missing=0.0)
    result = alt_test(humans, {"copy": humans["h0"]}, Setup(epsilon=0.01)).judges["copy"]
    part = result.evidence.annotators[0]
    assert (part.advantage, part.human_advantage, part.plain.p_value) == (1.0, 1.0, 0.0)
    assert part.plain.flags == ("constant_difference",)


def test_abstention_is_worse_than_any_label():
    """A judge that abstains loses the item, where one that is silent is not compared on it."""
    humans, judge = crowd(np.random.default_rng(4), missing=0.0)
    items = list(judge)[:20]
    abstains = alt_test(humans, {"f": {**judge, **dict.fromkeys(items, ABSTAINED)}}).judges["f"]
    silent = alt_test(humans, {"f": {**judge, **dict.fromkeys(items)}}).judges["f"]
    rho = alt_test(humans, {"f": judge}).judges["f"].advantage_probability
    assert abstains.advantage_probability < rho
    assert [c.n_abstained for c in abstains.evidence.comparisons] == [20] * 4
    assert [part.n for part in abstains.evidence.annotators] == [60] * 4
    assert [part.n for part in silent.evidence.annotators] == [40] * 4
    assert [c.n_unjudged for c in silent.evidence.comparisons] == [20] * 4
    for part in abstains.evidence.comparisons:
        assert not part.judge_wins[:20].any()
        assert part.human_wins[:20].all()


def test_both_abstaining_is_a_tie():
    """Members of a suite may stand for annotators: who also abstains is no better than the judge."""
    humans = {f"h{j}": dict.fromkeys(range(40), "a") for j in range(3)}
    humans["h0"][0] = ABSTAINED
    judge = dict.fromkeys(range(40), "a") | {0: ABSTAINED, 1: ABSTAINED}
    parts = alt_test(humans, {"f": judge}).judges["f"].evidence.comparisons
    assert (parts[0].judge_wins[0], parts[0].human_wins[0]) == (True, True)
    assert (parts[1].judge_wins[0], parts[1].human_wins[0]) == (False, True)
    assert (parts[0].judge_wins[1], parts[0].human_wins[1]) == (False, True)


def test_equal_scores_in_another_order_are_ties():
    """0.1 + 0.2 - 0.3 is not 0 in floating point; the tie is one all the same."""
    values = {"h0": 0.3, "h1": 0.1, "h2": 0.5}
    humans = {name: {i: value + (i % 2) * 0.7 for i in range(40)} for name, value in values.items()}
    judge = {i: 0.1 + 0.2 + (i % 2) * 0.7 for i in range(40)}
    part = alt_test(humans, {"f": judge}, Setup(score="neg_rmse")).judges["f"].evidence.annotators[0]
    assert (part.advantage, part.human_advantage) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("setting", "word"),
    [
        ({"epsilon": 1.5}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"min_items_per_annotator": 1}, "2 items"),
    ],
)
def test_settings_out_of_range(setting, word):
    with pytest.raises(InputError, match=word):
        Setup(**setting)


@pytest.mark.parametrize("q", [0.0, 1.0, float("nan")])
def test_q_out_of_range(q):
    humans, judge = crowd(np.random.default_rng(0))
    with pytest.raises(InputError, match="false discovery rate"):
        alt_test(humans, {"f": judge}, q=q)
