"""Appendix D and the FAQ: weighting, single expert, quality, gold, domains, combined annotators, the optimal judge."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from analysis.alt_test.annotations import LeaveOneOutJudge
from analysis.alt_test.combined import alt_test_combined, draw_pairings
from analysis.alt_test.domains import alt_test_over_domains, split_domains
from analysis.alt_test.optimal import majority_judge, mean_judge
from analysis.alt_test.procedure import alt_test
from analysis.alt_test.setup import Setup
from analysis.alt_test.sweep import sweep_epsilon
from analysis.alt_test.weighting import InverseProbability, MinorityLabels, majority_shares
from raim.errors import InputError
from tests.analysis.alt_test import plain
from tests.analysis.alt_test.simulated import crowd


def parts_of(result, judge="f"):
    return {part.annotator: part for part in result.judges[judge].evidence.annotators}


# D.1


def test_inverse_probability_item_by_item():
    """Against the formulas of D.1 in plain loops, on items whose majorities are not tied."""
    humans, judge = crowd(np.random.default_rng(0), n_items=300, n_annotators=4, noise=0.4, missing=0.0)
    tied = {
        item
        for item in judge
        for left in humans
        if (c := Counter(humans[n][item] for n in humans if n != left).most_common(2))
        and len(c) > 1
        and c[0][1] == c[1][1]
    }
    humans = {name: {i: v for i, v in labels.items() if i not in tied} for name, labels in humans.items()}
    found = parts_of(alt_test(humans, {"f": judge}, Setup(weighting=InverseProbability(), epsilon=0.1)))
    assert len(found) == 4
    for name, part in found.items():
        rows = plain.indicators(humans, judge, plain.accuracy, name)
        advantage, t, p, n = plain.inverse_probability_t(rows, 0.1)
        assert part.advantage == pytest.approx(advantage, rel=1e-12)
        assert part.plain.statistic == pytest.approx(t, rel=1e-10)
        assert part.plain.p_value == pytest.approx(p, rel=1e-8)
        assert part.plain.n_effective == pytest.approx(n, rel=1e-12)


def test_weighting_stops_the_judge_that_always_says_five():
    """B.3 and D.1: 89% of the items are 5; a judge that says 5 throughout passes plainly, and not when weighted."""
    rng = np.random.default_rng(1)
    gold = rng.choice([1, 2, 3, 5], p=[0.03, 0.05, 0.03, 0.89], size=800)
    humans = {
        f"h{j}": {i: int(np.where(rng.random() < 0.85, g, rng.integers(1, 6))) for i, g in enumerate(gold)}
        for j in range(3)
    }
    judge = {"f": dict.fromkeys(range(800), 5)}
    assert alt_test(humans, judge, Setup(epsilon=0.2)).judges["f"].passes
    weighted = alt_test(humans, judge, Setup(epsilon=0.2, weighting=InverseProbability())).judges["f"]
    assert not weighted.passes
    assert weighted.winning_rate == 0.0


def test_tied_majorities_share():
    codes = np.array([[0, 1, -1], [0, 0, 1], [2, -1, -1], [0, 1, 2]])
    shares = majority_shares(codes, codes >= 0)
    np.testing.assert_allclose(shares, [[0.5, 0.5, 0], [0.5, 0.5, 0], [1, 0, 0], [1 / 3, 1 / 3, 1 / 3]])


def test_minority_labels_weigh_flagged_items():
    """D.4: an item that one remaining annotator flags weighs more, whatever the majority says."""
    humans, judge = crowd(np.random.default_rng(2), n_items=100, missing=0.0)
    result = alt_test(humans, {"f": judge}, Setup(weighting=MinorityLabels(("c",), 4.0)))
    for name, part in parts_of(result).items():
        rows = plain.indicators(humans, judge, plain.accuracy, name)
        weights = [4.0 if "c" in others else 1.0 for _, others, *_ in rows]
        assert part.advantage == pytest.approx(np.average([w_f for *_, w_f, _ in rows], weights=weights))
    with pytest.raises(InputError, match="nobody gave the label 'z'"):
        alt_test(humans, {"f": judge}, Setup(weighting=MinorityLabels(("z",), 4.0)))
    with pytest.raises(InputError, match="must be positive"):
        MinorityLabels(("c",), 0.0)


def test_weighted_and_few_items_is_flagged():
    humans, judge = crowd(np.random.default_rng(3), n_items=20, missing=0.0)
    result = alt_test(humans, {"f": judge}, Setup(weighting=InverseProbability(), min_items_per_annotator=10))
    assert all(part.plain.flags[0] == "fewer_than_30_items" for part in parts_of(result).values())


# D.2, D.5


@pytest.mark.parametrize(("score", "labels"), [("accuracy", ("a", "b")), ("neg_rmse", (1, 2, 3, 4))])
def test_single_expert(score, labels):
    """Scores are taken against the expert alone; items the expert did not label do not count."""
    rng = np.random.default_rng(4)
    humans, judge = crowd(rng, n_items=120, labels=labels, noise=0.5)
    expert = {item: label for item, label in judge.items() if rng.random() < 0.8}
    _, candidate = crowd(rng, n_items=120, labels=labels, noise=0.9)
    found = parts_of(alt_test(humans, {"f": candidate}, Setup(score=score, reference=expert)))
    function = getattr(plain, score)
    for name, labels_of in humans.items():
        rows = [
            (function(candidate[i], [expert[i]]), function(own, [expert[i]]))
            for i, own in labels_of.items()
            if i in expert
        ]
        d = [int(h >= f) - int(f >= h) for f, h in rows]
        assert found[name].n == len(rows)
        assert found[name].advantage == pytest.approx(np.mean([f >= h for f, h in rows]))
        assert found[name].plain.p_value == pytest.approx(
            float(plain.ttest_1samp(d, 0.2, alternative="less").pvalue), rel=1e-9
        )


def test_one_non_expert_is_enough():
    humans, judge = crowd(np.random.default_rng(5), n_annotators=1)
    assert alt_test(humans, {"f": judge}, Setup(reference=judge)).judges["f"].winning_rate in (0.0, 1.0)
    with pytest.raises(InputError, match="one annotator alone"):
        alt_test(humans, {"f": judge})


def test_exam_of_the_paper():
    """D.5's exam: the judge scores 70, three humans 80, 80 and 20; it outperforms one of three, omega 0.33."""
    rng = np.random.default_rng(6)
    gold = {i: int(label) for i, label in enumerate(rng.integers(0, 4, 500))}

    def answers(share):
        right = rng.permutation(500) < 500 * share
        return {i: label if right[i] else (label + 1) % 4 for i, label in gold.items()}

    humans = {"a": answers(0.8), "b": answers(0.8), "c": answers(0.2)}
    result = alt_test(humans, {"f": answers(0.7)}, Setup(reference=gold, epsilon=0.0)).judges["f"]
    assert result.winning_rate == pytest.approx(1 / 3)
    assert result.plain.rejected == {"a": False, "b": False, "c": True}


# D.3


def test_quality_in_scores_and_winning_rate():
    humans, judge = crowd(np.random.default_rng(7), n_items=200, labels=(1, 2, 3), noise=0.6)
    quality = {"h0": 5.0, "h1": 1.0, "h2": 0.5, "h3": 1.0}
    for kind in ("accuracy", "neg_rmse"):
        result = alt_test(humans, {"f": judge}, Setup(score=kind, quality=quality, epsilon=0.1))
        for name, part in parts_of(result).items():
            w_f = []
            for item, own in humans[name].items():
                others = [(quality[n], humans[n][item]) for n in humans if n != name and item in humans[n]]
                if not others:
                    continue
                total = sum(q for q, _ in others)

                def score(label, others=others, total=total, kind=kind):
                    if kind == "accuracy":
                        return round(sum(q for q, other in others if other == label) / total, 12)
                    return -round(sum(q * (label - other) ** 2 for q, other in others) / total, 12)

                w_f.append(score(judge[item]) >= score(own))
            assert part.advantage == pytest.approx(np.mean(w_f), abs=1e-14)
        rejected = result.judges["f"].plain.rejected
        share = sum(quality[n] for n, yes in rejected.items() if yes) / sum(quality.values())
        assert result.judges["f"].winning_rate == pytest.approx(share)
    plainly = alt_test(humans, {"f": judge}, Setup(quality=quality, quality_in_scores=False, epsilon=0.1))
    without = alt_test(humans, {"f": judge}, Setup(epsilon=0.1))
    assert plainly.judges["f"].plain.p_adjusted == without.judges["f"].plain.p_adjusted


def test_equal_quality_changes_nothing():
    humans, judge = crowd(np.random.default_rng(8), n_items=200)
    equal = alt_test(humans, {"f": judge}, Setup(quality=dict.fromkeys(humans, 0.3)))
    assert equal.judges["f"].plain == alt_test(humans, {"f": judge}).judges["f"].plain


@pytest.mark.parametrize(
    ("quality", "word"),
    [
        ({"h0": 1.0}, "'h1' has no quality"),
        ({"h0": 0.0, "h1": 1.0, "h2": 1.0, "h3": 1.0}, "must be positive"),
        ({"h0": 1.0, "h1": 1.0, "h2": 1.0, "h3": 1.0, "x": 1.0}, "'x', who labelled nothing"),
    ],
)
def test_quality_refused(quality, word):
    humans, judge = crowd(np.random.default_rng(8))
    with pytest.raises(InputError, match=word):
        alt_test(humans, {"f": judge}, Setup(quality=quality))


# Domains


def test_domains_share_one_family():
    """All p-values of a judge go through one fdr_by; omega is each domain's own."""
    rng = np.random.default_rng(9)
    humans, judge = crowd(rng, n_items=400, noise=0.45)
    tests = split_domains(
        humans, {"f": judge}, Setup(epsilon=0.05), lambda item: f"d{int(str(item)[1:]) % 5}"
    )
    result = alt_test_over_domains(tests)
    p_values = [
        part.plain.p_value for one in result.domains.values() for part in one.judges["f"].evidence.annotators
    ]
    assert len(p_values) == 20
    rejected = multipletests(p_values, alpha=0.05, method="fdr_by")[0].reshape(5, 4)
    rates = [one.judges["f"].winning_rate for one in result.domains.values()]
    np.testing.assert_allclose(rates, rejected.mean(axis=1))
    assert result.passed["f"] == int((rejected.mean(axis=1) >= 0.5).sum())
    assert result.tested["f"] == 5
    assert list(result.domains) == sorted(result.domains)


def test_a_domain_without_a_result_is_named():
    humans, judge = crowd(np.random.default_rng(9), n_items=60)
    tests = split_domains(humans, {"f": judge}, Setup(), lambda item: "x" if item == "i1" else "y")
    with pytest.raises(InputError, match="domain 'x'"):
        alt_test_over_domains(tests)
    with pytest.raises(InputError, match="has no domain"):
        split_domains(humans, {"f": judge}, Setup(), {"i0": "x"})


# Combined annotators


def test_combined_annotators():
    """Two sets of three with 20 items each: six pairings, each with three combined annotators of 40 items."""
    rng = np.random.default_rng(10)
    first, judge_a = crowd(rng, n_items=20, n_annotators=3, missing=0.0)
    second, judge_b = crowd(rng, n_items=20, n_annotators=3, missing=0.0)
    second = {f"s{name}": {f"s{i}": v for i, v in labels.items()} for name, labels in second.items()}
    judge = {**judge_a, **{f"s{i}": v for i, v in judge_b.items()}}
    result = alt_test_combined(first, second, {"f": judge}, np.random.default_rng(0))
    assert len(result.pairings) == len(set(result.pairings)) == 6
    for pairing, one in zip(result.pairings, result.results, strict=True):
        humans = {f"{a}+{b}": {**first[a], **second[b]} for a, b in pairing}
        assert one.judges["f"].winning_rate == plain.alt_test(humans, judge, plain.accuracy, 0.2)[0]
        assert all(part.n == 40 for part in one.judges["f"].evidence.annotators)
    rates = [one.judges["f"].winning_rate for one in result.results]
    assert result.winning_rate["f"] == pytest.approx(np.mean(rates))
    assert result.share_passed["f"] == np.mean([rate >= 0.5 for rate in rates])


def test_pairings_of_unequal_sets():
    rng = np.random.default_rng(0)
    pairings = draw_pairings(list("abc"), list("xy"), rng, 100)
    assert len(pairings) == len(set(pairings)) == 6
    assert all(left in "abc" and right in "xy" for pairing in pairings for left, right in pairing)
    many = draw_pairings(list("abcdefgh"), list("stuvwxyz"), rng, 50)
    assert len(set(many)) == 50


def test_combined_refuses():
    humans, judge = crowd(np.random.default_rng(0))
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="both sets labelled"):
        alt_test_combined(humans, humans, {"f": judge}, rng)
    with pytest.raises(InputError, match="need annotators"):
        alt_test_combined(humans, {}, {"f": judge}, rng)


# Theorem 1

RATINGS = st.dictionaries(
    st.integers(0, 11),
    st.one_of(st.integers(1, 5), st.floats(-1e3, 1e3, allow_nan=False)),
    min_size=2,
    max_size=12,
)


@given(st.dictionaries(st.sampled_from("abcdefg"), RATINGS, min_size=2, max_size=7), st.integers(0, 99))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_optimal_judges_have_advantage_one(humans, seed):
    """Majority under accuracy and mean under RMSE: W^f = 1 on every item, so rho = 1; also with missing labels."""
    setups = {
        "accuracy": (majority_judge(humans), majority_judge(humans, np.random.default_rng(seed))),
        "neg_rmse": (mean_judge(humans),),
    }
    for score, judges in setups.items():
        for judge in judges:
            try:
                result = alt_test(humans, {"f": judge}, Setup(score=score, min_items_per_annotator=2))
            except InputError as error:
                assert "no annotator has" in str(error) or "no judge labelled" in str(error)  # noqa: PT017
                return
            assert result.judges["f"].advantage_probability == 1.0


def test_random_ties_of_the_majority():
    """Appendix E: among tied labels the majority is drawn at random; a clear one never changes."""
    humans = {"a": {0: "x", 1: "x"}, "b": {0: "y", 1: "x"}}
    drawn = Counter(majority_judge(humans, np.random.default_rng(s))[0] for s in range(400))
    assert 150 < drawn["x"] < 250
    assert {majority_judge(humans, np.random.default_rng(s))[1] for s in range(50)} == {"x"}
    assert majority_judge(humans)[0] == "x"


# Judges made without the annotator under test, and epsilon


def test_leave_one_out_judge_is_compared_with_its_own_annotator():
    humans, judge = crowd(np.random.default_rng(11), missing=0.0)
    _, other = crowd(np.random.default_rng(12), missing=0.0)
    mixed = LeaveOneOutJudge({"h0": judge, "h1": other, "h2": judge, "h3": other})
    result = alt_test(humans, {"f": judge, "g": other, "m": mixed})
    for index, name in enumerate("fgfg"):
        assert result.judges["m"].evidence.annotators[index] == result.judges[name].evidence.annotators[index]
    with pytest.raises(InputError, match="made without annotator 'h3'"):
        alt_test(humans, {"m": LeaveOneOutJudge(dict.fromkeys(("h0", "h1", "h2"), judge))})


def test_sweep_is_the_test_at_each_epsilon():
    humans, judge = crowd(np.random.default_rng(13), n_items=150, noise=0.5)
    epsilons = (0.0, 0.05, 0.1, 0.2, 0.3)
    sweep = sweep_epsilon(alt_test(humans, {"f": judge}), Setup(), epsilons)["f"]
    expected = [alt_test(humans, {"f": judge}, Setup(epsilon=e)).judges["f"].winning_rate for e in epsilons]
    assert list(sweep.winning_rates) == expected
    assert sorted(sweep.winning_rates) == list(sweep.winning_rates)
    passing = [e for e, rate in zip(epsilons, expected, strict=True) if rate >= 0.5]
    assert sweep.smallest_passing == min(passing, default=None)


def test_clusters_add_the_robust_test():
    humans, judge = crowd(np.random.default_rng(14), n_items=200)
    clusters = {item: int(item[1:]) // 5 for item in judge}
    plain_result = alt_test(humans, {"f": judge}).judges["f"]
    for robust in ("t", "bootstrap"):
        result = alt_test(humans, {"f": judge}, Setup(clusters=clusters, robust=robust)).judges["f"]
        assert result.plain == plain_result.plain
        assert set(result.robust.rejected) == set(humans)
        assert all(part.n_clusters == 40 for part in result.evidence.annotators)
    assert plain_result.robust is None
    with pytest.raises(InputError, match="has no cluster"):
        alt_test(humans, {"f": judge}, Setup(clusters={"i0": 1}))
