"""Agreement measures against scikit-learn, statsmodels, scipy and the coincidence matrix in plain loops."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from analysis.alt_test.agreement import agreement
from analysis.alt_test.annotations import encode_humans
from tests.analysis.alt_test import plain
from tests.analysis.alt_test.simulated import crowd


def units(humans):
    items = {item for labels in humans.values() for item in labels}
    return [[labels[item] for labels in humans.values() if item in labels] for item in items]


@pytest.mark.parametrize("seed", range(4))
def test_text_labels(seed):
    humans, _ = crowd(np.random.default_rng(seed), n_annotators=5, noise=0.5)
    found = agreement(encode_humans(humans))
    kappas = [cohen_kappa_score(a, b) for *_, a, b in plain.pairs(humans)]
    assert found.cohen_kappa.mean == pytest.approx(np.mean(kappas), rel=1e-12)
    assert (found.cohen_kappa.n_defined, found.n_pairs) == (10, 10)
    percents = [np.mean(np.array(a) == np.array(b)) for *_, a, b in plain.pairs(humans)]
    assert found.percent.mean == pytest.approx(np.mean(percents))
    assert found.alpha_nominal == pytest.approx(
        plain.krippendorff_alpha(units(humans), plain.nominal), rel=1e-12
    )
    assert (found.alpha_ordinal, found.alpha_interval, found.pearson, found.spearman) == (None,) * 4


@pytest.mark.parametrize("seed", range(4))
def test_numbers(seed):
    humans, _ = crowd(np.random.default_rng(seed), n_annotators=4, labels=(1, 2, 3, 5, 9), noise=0.5)
    found = agreement(encode_humans(humans))
    for name in ("nominal", "ordinal", "interval"):
        expected = plain.krippendorff_alpha(units(humans), getattr(plain, name))
        assert getattr(found, f"alpha_{name}") == pytest.approx(expected, rel=1e-10)
    assert found.pearson.mean == pytest.approx(
        np.mean([pearsonr(a, b)[0] for *_, a, b in plain.pairs(humans)])
    )
    assert found.spearman.mean == pytest.approx(
        np.mean([spearmanr(a, b)[0] for *_, a, b in plain.pairs(humans)])
    )


def test_fleiss_is_statsmodels_on_complete_labels():
    humans, _ = crowd(np.random.default_rng(7), n_annotators=6, missing=0.0, noise=0.6)
    table, _ = aggregate_raters(np.array([list(labels.values()) for labels in humans.values()]).T)
    assert agreement(encode_humans(humans)).fleiss_kappa == pytest.approx(fleiss_kappa(table), rel=1e-12)


def test_large_numbers_keep_their_differences():
    """The interval alpha does not change when a large constant is added to every label."""
    humans, _ = crowd(np.random.default_rng(8), labels=(1, 2, 3, 4), noise=0.5)
    shifted = {name: {i: label + 1e8 for i, label in labels.items()} for name, labels in humans.items()}
    first, second = agreement(encode_humans(humans)), agreement(encode_humans(shifted))
    assert second.alpha_interval == pytest.approx(first.alpha_interval, rel=1e-7)
    assert second.pearson.mean == pytest.approx(first.pearson.mean, rel=1e-7)


def test_one_label_throughout_is_undefined():
    found = agreement(encode_humans({f"h{j}": dict.fromkeys(range(10), 3) for j in range(3)}))
    assert found.percent.mean == 1.0
    assert (found.cohen_kappa.mean, found.cohen_kappa.n_defined) == (None, 0)
    undefined = (
        found.fleiss_kappa,
        found.alpha_nominal,
        found.alpha_ordinal,
        found.alpha_interval,
        found.pearson.mean,
    )
    assert undefined == (None,) * 5


def test_no_joint_items():
    found = agreement(encode_humans({"a": {0: "x"}, "b": {1: "y"}}))
    assert (found.n_items, found.n_pairs, found.cohen_kappa.mean, found.fleiss_kappa, found.alpha_nominal) == (
        0, 0, None, None, None,
    )  # fmt: skip


@given(
    st.dictionaries(
        st.sampled_from("abcd"), st.dictionaries(st.integers(0, 8), st.sampled_from([1, 2, 4, 8])), min_size=2
    ).filter(lambda humans: any(humans.values()))
)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_any_shape(humans):
    """No warning, no crash, kappas and alphas at most 1, whatever is missing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = agreement(encode_humans(humans))
    for value in (found.fleiss_kappa, found.alpha_nominal, found.alpha_ordinal, found.alpha_interval):
        assert value is None or value <= 1.0 + 1e-12
