"""Second arms: weights from interval widths, the majority's last verdicts, and both on a panel with a known answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.arrays import Floats, Ints
from analysis.simulation.build import simulate_suite
from analysis.simulation.competence import member_tables
from analysis.simulation.confusions import Table, admissible
from analysis.simulation.drawing import draw
from analysis.simulation.items import matched_pairs
from analysis.simulation.second_frame import (
    gain_widths,
    right_of_majority,
    second_arms,
    settle_majority,
    weights_of_widths,
)
from analysis.simulation.targets import Scores, SecondFrame, read_targets


def verdicts(votes: Floats, gold: Ints) -> list[Counter[tuple[int, str]]]:
    """By member, how often it says what on items of either class."""
    return [Counter(zip(gold.tolist(), map(str, column), strict=True)) for column in votes.T]


def plain_majority(votes: Floats, gold: Ints) -> tuple[int, int]:
    right = [0, 0]
    for row, label in zip(votes.tolist(), gold.tolist(), strict=True):
        said = [vote for vote in row if vote == vote]
        if said and int(2 * sum(said) >= len(said)) == label:
            right[label] += 1
    return right[0], right[1]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(0, 15), st.integers(0, 15))
def test_exchanges_meet_the_majority_and_no_table_changes(seed: int, size: int, low: int, high: int) -> None:
    rng = np.random.default_rng(seed)
    gold = np.repeat([0, 1], 15)
    votes = rng.choice([0.0, 1.0, np.nan], size=(30, size), p=[0.45, 0.45, 0.1])
    found, swaps = settle_majority(votes, gold, (low, high))
    assert verdicts(found, gold) == verdicts(votes, gold)
    assert (np.isnan(found) == np.isnan(votes)).all()
    before, after = plain_majority(votes, gold), right_of_majority(found, gold)
    assert after == plain_majority(found, gold)
    # Each exchange brings one verdict nearer.
    assert swaps == sum(abs(b - a) for b, a in zip(before, after, strict=True))
    for wanted, b, a in zip((low, high), before, after, strict=True):
        assert min(b, wanted) <= a <= max(b, wanted)


def test_a_majority_in_reach_is_met() -> None:
    gold = np.repeat([0, 1], 4)
    votes = np.array(
        [[1, 1, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]
    )
    assert right_of_majority(votes, gold) == (3, 1)
    found, swaps = settle_majority(votes, gold, (2, 2))
    assert (right_of_majority(found, gold), swaps) == ((2, 2), 2)
    same, none = settle_majority(votes, gold, (3, 1))
    assert none == 0
    assert (same == votes).all()


def test_weights_are_those_of_the_widths() -> None:
    """Widths that fall with the weight, linearly: inside, wider than without weight, narrower than with most, flat."""
    slope = np.array([0.5, 0.5, 0.5, 0.0])
    found = weights_of_widths(lambda weights: 1 - slope * weights, np.array([0.8, 1.2, 0.3, 0.9]))
    assert found[0] == pytest.approx(0.4, abs=0.005)
    assert found[1:].tolist() == [0.0, 0.99, 0.0]


def test_widths_are_those_of_the_frame_contrast() -> None:
    from analysis.estimators.frame_contrast import frame_contrast

    items = matched_pairs(60)
    rng = np.random.default_rng(1)
    first, second = (rng.choice([0.0, 1.0, np.nan], size=(120, 2), p=[0.4, 0.5, 0.1]) for _ in range(2))
    arms = {name: (second[:, i], first[:, i]) for i, name in enumerate("ab")}
    members = frame_contrast(arms, "ab", items.gold, items.cluster)["members"]
    deltas = [members[name]["delta"]["balanced_accuracy"] for name in "ab"]
    np.testing.assert_allclose(
        gain_widths(first, second, items), [d["high"] - d["low"] for d in deltas], rtol=1e-12
    )


def test_planted_weights_and_shares_are_found() -> None:
    """Arms made with known weights give widths and a majority; fitted to these, other noise gives the weights again."""
    items = matched_pairs(1000)
    names = ("a", "b", "c", "d", "e")
    table = Table(300, 200, 700, 800)
    planted, share = np.array([0.0, 0.3, 0.6, 0.9, 0.6]), 0.5
    rng = np.random.default_rng(0)
    own = draw(items, [Table(700, 300, 300, 700)] * 5, rng)
    latent = own.noise
    first = own.votes(latent)
    arms = draw(items, [table] * 5, rng)
    common = rng.standard_normal((2000, 1))
    rest = np.sqrt(share) * common + np.sqrt(1 - share) * arms.noise
    second = arms.votes(planted * latent + np.sqrt(1 - planted**2) * rest)
    widths = gain_widths(first, second, items)
    target = SecondFrame(
        scores={
            name: Scores(0.1, 2000, true_positives=300, true_negatives=800) for name in (*names, "judge")
        },
        gains={name: (0.0, float(width)) for name, width in zip(names, widths, strict=True)},
        panel_right=right_of_majority(second, items.gold),
    )
    votes = dict(zip(names, first.T, strict=True))
    normals = dict(zip(names, latent.T, strict=True)) | {"judge": rng.standard_normal(2000)}
    found = second_arms(target, items, names, votes, normals, np.random.default_rng(7))
    weights = np.array([found.weights[name] for name in names])
    np.testing.assert_allclose(weights[1:], planted[1:], atol=0.2)
    assert weights[0] < 0.3
    assert found.weights["judge"] == np.median(weights)
    assert found.shares == pytest.approx((share, share), abs=0.25)
    again = np.column_stack([found.votes[name] for name in names])
    assert right_of_majority(again, items.gold) == target.panel_right
    np.testing.assert_allclose(gain_widths(first, again, items), widths, rtol=0.05)
    assert found.tables == dict.fromkeys((*names, "judge"), table)
    judge = verdicts(found.votes["judge"][:, None], items.gold)[0]
    assert judge == {(0, "0.0"): 800, (0, "1.0"): 200, (1, "0.0"): 700, (1, "1.0"): 300}
    assert np.corrcoef(found.votes["judge"] != items.gold, normals["judge"])[0, 1] < -0.2


def test_scores_that_leave_no_single_table_are_refused() -> None:
    items = matched_pairs(10)
    target = SecondFrame({"a": Scores(0.2, 20)}, {"a": (0.0, 0.1)}, (5, 5))
    none = {"a": np.zeros(20)}
    with pytest.raises(ValueError, match="a: 9 confusion tables"):
        second_arms(target, items, ["a"], none, none, np.random.default_rng(0))


def test_published_arms_have_one_table_each() -> None:
    framed = {name: b for name, b in read_targets().benchmarks.items() if b.second_frame is not None}
    assert list(framed) == ["wice", "xsum", "cnn", "expertqa"]
    for benchmark in framed.values():
        assert benchmark.second_frame is not None
        scores = benchmark.second_frame.scores
        assert len(scores) == 11
        assert all(len(admissible(one, benchmark.class_sizes)) == 1 for one in scores.values())
        assert set(benchmark.second_frame.gains) == set(read_targets().members)


def test_what_stands_beside_the_panel_changes_none_of_its_votes() -> None:
    """Without arms and purpose-trained judges, members, frontier and larger judges vote as with them."""
    loaded = read_targets()
    whole = replace(loaded, benchmarks={"cnn": loaded.benchmarks["cnn"]})
    less = replace(
        whole,
        judges=tuple(judge for judge in whole.judges if judge.role != "purpose_trained"),
        benchmarks={"cnn": replace(whole.benchmarks["cnn"], second_frame=None)},
    )
    tables = member_tables(loaded)
    with_, without = (dict(simulate_suite(some, tables, 0))["cnn"] for some in (whole, less))
    assert without.second is None
    assert len(with_.votes) == len(without.votes) + 5
    for checkpoint, votes in without.votes.items():
        np.testing.assert_array_equal(with_.votes[checkpoint], votes)
