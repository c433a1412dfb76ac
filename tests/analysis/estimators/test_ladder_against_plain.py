"""The whole ladder against loops and scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analysis.estimators.combine import combine
from analysis.estimators.ladder import ladder
from tests.analysis import plain
from tests.analysis.simulate import simulate

DRAWS = 25
CASES = {
    "even": {"seed": 1},
    "few clusters": {"seed": 2, "n_items": 40, "n_clusters": 9, "n_members": 4},
    "many abstain": {"seed": 3, "missing": 0.4},
    "unbalanced": {"seed": 4, "prevalence": 0.12, "missing": 0.1},
    "one member": {"seed": 5, "n_members": 1},
}


@pytest.fixture(scope="module", params=CASES, ids=list(CASES))
def panel(request):
    return simulate(**CASES[request.param])


def as_floats(verdicts):
    return np.array([math.nan if v is None else v for v in verdicts], dtype=float)


def test_verdicts_of_every_method(panel):
    ours, theirs = combine(panel).predictions, plain.ladder_verdicts(panel)
    assert set(theirs) | {"dawid_skene"} == set(ours)
    for name, verdicts in theirs.items():
        np.testing.assert_array_equal(ours[name], as_floats(verdicts), err_msg=name)


@pytest.mark.parametrize("metric", ["kappa", "balanced_accuracy"])
def test_scores_and_differences(panel, metric):
    score = {"kappa": plain.kappa, "balanced_accuracy": plain.charged_bacc}[metric]
    ours = ladder(panel, n_draws=DRAWS)
    gold = [int(y) for y in panel.gold]
    verdicts = plain.ladder_verdicts(panel)
    members = dict(zip(panel.members, plain.columns(panel), strict=True))
    draws = {n: np.array(d) for n, d in plain.bootstrap(panel, {**verdicts, **members}, score, DRAWS).items()}
    full = {name: score(gold, values) for name, values in {**verdicts, **members}.items()}

    together = np.stack([draws[m] for m in members])
    defined = ~np.isnan(together)
    draws["average_member"] = np.array(
        [together[:, b][defined[:, b]].mean() if defined[:, b].any() else np.nan for b in range(DRAWS)]
    )
    full["average_member"] = np.nanmean([full[m] for m in members])

    def check(summary, values, estimate, where):
        kept = values[~np.isnan(values)]
        assert summary["undefined_draws"] == DRAWS - len(kept), where
        expected = [estimate, kept.mean(), *np.percentile(kept, [2.5, 97.5])]
        got = [summary[key] for key in ("estimate", "resample_mean", "low", "high")]
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12, err_msg=where)

    for name in [*verdicts, "average_member"]:
        check(ours["methods"][name][metric], draws[name], full[name], name)
    for member in members:
        row = {"estimate": ours["members"][member][metric], **ours["members"][member]["resamples"][metric]}
        check(row, draws[member], full[member], member)
    for pair in ("stacked-best_cv", "stacked-oracle", "stacked-average_member", "stacked-unweighted"):
        first, second = pair.split("-")
        difference = draws[first] - draws[second]
        check(ours["deltas"][pair][metric], difference, full[first] - full[second], pair)


def test_common_denominator(panel):
    verdicts = plain.ladder_verdicts(panel)
    silent = [v is None for v in verdicts["best_cv"]]
    both = {
        "stacked": [None if s else v for s, v in zip(silent, verdicts["stacked"], strict=True)],
        "best_cv": verdicts["best_cv"],
    }
    draws = plain.bootstrap(panel, both, plain.kappa, DRAWS)
    difference = np.array(draws["stacked"]) - np.array(draws["best_cv"])
    ours = ladder(panel, n_draws=DRAWS)["common_denominator"]["stacked-best_cv"]
    assert ours["n_common"] == silent.count(False)
    assert ours["kappa"]["resample_mean"] == pytest.approx(np.nanmean(difference), abs=1e-12)


def test_one_sided_p_counts_exact_zeros(panel):
    ours = ladder(panel, n_draws=DRAWS)["deltas"]["stacked-best_cv"]["kappa"]
    draws = plain.bootstrap(panel, plain.ladder_verdicts(panel), plain.kappa, DRAWS)
    difference = np.array(draws["stacked"]) - np.array(draws["best_cv"])
    difference = difference[~np.isnan(difference)]
    # scikit-learn rounds: a difference within its rounding of zero is a zero.
    assert ours["p_one_sided"] == np.mean(difference <= 1e-12)
