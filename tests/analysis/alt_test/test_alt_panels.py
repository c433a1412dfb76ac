"""Panels as judges: out of fold, without the annotator under test, and equal to scikit-learn."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

from analysis.alt_test.annotations import encode_humans
from analysis.alt_test.files import before
from analysis.alt_test.labels import ABSTAINED
from analysis.alt_test.panels.binary import binary_panel, stacked_judge, unweighted_judge
from analysis.alt_test.panels.gold import clear_majority, item_folds, mean_label
from analysis.alt_test.panels.scores import calibrated_judge, mean_pool, median_pool, score_panel
from analysis.combiners.stacked import stacked
from raim.errors import InputError


def documents(rng, labels, n_documents=40, n_items=5, humans=3, judges=4, noise=0.25):
    """Humans and judges over items ``document__i``, each human leaving out a fifth of the items."""
    items = [f"d{c}__{i}" for c in range(n_documents) for i in range(n_items)]
    gold = rng.integers(0, len(labels), len(items))

    def given(level, kept=1.0):
        wrong = rng.random(len(items)) < level
        codes = np.where(wrong, rng.integers(0, len(labels), len(items)), gold)
        mask = rng.random(len(items)) < kept
        return {item: labels[code] for item, code, keep in zip(items, codes, mask, strict=True) if keep}

    people = {f"h{j}": given(noise, 0.8) for j in range(humans)}
    return people, {f"f{j}": given(noise * (j + 1) / 2) for j in range(judges)}


def test_clear_majority_without_one():
    humans = {"a": {0: "x", 1: "x", 2: "y"}, "b": {0: "x", 1: "y"}, "c": {0: "y", 1: "y", 3: "x"}}
    panel = encode_humans(humans)
    codes = {"x": panel.vocabulary.labels.index("x"), "y": panel.vocabulary.labels.index("y")}

    def expected(left_out):
        out = []
        for item in panel.items:
            votes = Counter(
                labels[item] for name, labels in humans.items() if name != left_out and item in labels
            )
            ranked = votes.most_common(2)
            clear = ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1])
            out.append(codes[ranked[0][0]] if clear else -1)
        return out

    for index, name in [(None, None), *enumerate(humans)]:
        assert clear_majority(panel, index).tolist() == expected(name)


def test_stacked_judge_is_a_logistic_regression_without_the_annotator():
    """Per annotator and fold: scikit-learn on the others' clear majorities of the other documents."""
    humans, judges = documents(np.random.default_rng(0), ("no", "yes"))
    panel = binary_panel(humans, judges, "yes", "no")
    found = stacked_judge(panel, before("__")).labels
    items = panel.humans.items
    folds = item_folds(items, before("__"))
    assert len({(item.split("__")[0], fold) for item, fold in zip(items, folds, strict=True)}) == 40
    votes = np.array([[float(judge[item] == "yes") for judge in judges.values()] for item in items])
    for name in humans:
        gold = []
        for item in items:
            others = [labels[item] for other, labels in humans.items() if other != name and item in labels]
            yes, n = others.count("yes"), len(others)
            gold.append(-1 if 2 * yes == n else int(2 * yes > n))
        gold = np.array(gold)
        for fold in range(5):
            train, test = (folds != fold) & (gold >= 0), folds == fold
            fit = LogisticRegression(tol=1e-10, max_iter=10_000).fit(votes[train], gold[train])
            margins = fit.decision_function(votes[test])
            clear = np.abs(margins) > 1e-6
            answers = np.array(
                [found[name][item] == "yes" for item, is_test in zip(items, test, strict=True) if is_test]
            )
            np.testing.assert_array_equal(answers[clear], (margins > 0)[clear])


def test_stacked_judge_never_sees_the_annotator_under_test():
    """Turning every label of h0 round changes nothing in the panel that h0 is compared with, and does in others."""
    humans, judges = documents(np.random.default_rng(1), ("no", "yes"))
    turned = {**humans, "h0": {i: "no" if label == "yes" else "yes" for i, label in humans["h0"].items()}}
    first, second = (
        stacked_judge(binary_panel(h, judges, "yes", "no"), before("__")).labels for h in (humans, turned)
    )
    assert first["h0"] == second["h0"]
    assert first["h1"] != second["h1"]


def test_told_panel_is_one_judge_for_all():
    humans, judges = documents(np.random.default_rng(2), ("no", "yes"))
    told = stacked_judge(binary_panel(humans, judges, "yes", "no"), before("__"), leave_out=False)
    assert set(told) == {item for labels in humans.values() for item in labels}


def test_unlabelled_items_are_predicted_and_train_nothing():
    """The stacker's option that the panels rest on."""
    rng = np.random.default_rng(3)
    votes = (rng.random((200, 4)) < 0.5).astype(float)
    gold = (votes.sum(axis=1) + rng.normal(size=200) > 2).astype(np.int64)
    folds, labelled = np.arange(200) % 5, rng.random(200) < 0.6
    found = stacked(votes, gold, folds, 5, labelled=labelled)
    other = stacked(votes, np.where(labelled, gold, 1 - gold), folds, 5, labelled=labelled)
    np.testing.assert_array_equal(found.margins, other.margins)
    for fold in range(5):
        train = labelled & (folds != fold)
        fit = LogisticRegression(tol=1e-10, max_iter=10_000).fit(votes[train], gold[train])
        np.testing.assert_allclose(found.coefficients[fold], fit.coef_[0], atol=1e-5)
    everything = stacked(votes, gold, folds, 5, labelled=np.ones(200, dtype=bool))
    np.testing.assert_array_equal(everything.margins, stacked(votes, gold, folds, 5).margins)


def test_unweighted_judge_and_abstentions():
    humans = {"a": dict.fromkeys(range(4), "yes"), "b": {3: "other"}}
    judges = {"f": {0: "yes", 1: "no", 2: ABSTAINED}, "g": {0: "no", 1: "no", 2: None}}
    found = unweighted_judge(binary_panel(humans, judges, "yes", "no"))
    assert found == {0: "yes", 1: "no", 2: ABSTAINED, 3: ABSTAINED}
    with pytest.raises(InputError, match="gave 'maybe' on 0"):
        binary_panel(humans, {"f": {0: "maybe"}}, "yes", "no")
    with pytest.raises(InputError, match="no human gave the label 'no'"):
        stacked_judge(binary_panel(humans, judges, "yes", "no"), str)


def test_score_pools():
    humans = {"a": {0: 1, 1: 3, 2: 5}, "b": {0: 2, 1: 3}}
    judges = {"f": {0: 1, 1: 2, 2: 5}, "g": {0: 2, 1: 3, 2: 5}, "h": {0: 5, 1: 4, 2: 5}}
    panel = score_panel(humans, judges)
    assert panel.judge(mean_pool(panel)) == {0: pytest.approx(8 / 3), 1: 3.0, 2: 5.0}
    assert panel.judge(median_pool(panel)) == {0: 2.0, 1: 3.0, 2: 5.0}
    assert panel.judge(np.array([1.5, 2.4, 4.1]), rounded=True) == {0: 2.0, 1: 2.0, 2: 5.0}
    with pytest.raises(InputError, match="'f' gave None on 1"):
        score_panel(humans, {"f": {0: 1, 2: 2}})


def test_calibrated_judge_is_least_squares_out_of_fold():
    humans, judges = documents(np.random.default_rng(4), (1, 2, 3, 4, 5), n_items=6)
    panel = score_panel(humans, judges)
    items = panel.humans.items

    def aspect(item):
        return int(item[-1]) % 2

    found = calibrated_judge(panel, before("__"), aspect, rounded=False).labels
    folds = item_folds(items, before("__"))
    aspects = np.array([aspect(item) for item in items])
    for index, name in enumerate(humans):
        target = mean_label(panel.humans, index)
        for group in (0, 1):
            for fold in range(5):
                test = (aspects == group) & (folds == fold)
                train = (aspects == group) & (folds != fold) & ~np.isnan(target)
                fit = LinearRegression().fit(panel.scores[train], target[train])
                ours = [found[name][item] for item, is_test in zip(items, test, strict=True) if is_test]
                np.testing.assert_allclose(ours, fit.predict(panel.scores[test]), atol=1e-9)
    turned = {**humans, "h0": {item: 6 - label for item, label in humans["h0"].items()}}
    again = calibrated_judge(score_panel(turned, judges), before("__"), aspect, rounded=False).labels
    assert again["h0"] == pytest.approx(found["h0"])
    assert again["h1"] != pytest.approx(found["h1"])
