"""The panel against another judge, and what it keeps over a suite, against loops over draws."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score
from statsmodels.stats.multitest import multipletests

from analysis.estimators.frontier import against_judge
from analysis.steps import frontier, multiplicity, substitution
from analysis.steps.context import SuiteContext
from tests.analysis.contexts import judge, member, suite_context
from tests.analysis.full_suite import derive, write_full_suite
from tests.analysis.simulate import simulate

Floats = NDArray[np.float64]


def plain(
    panel: Floats, other: Floats, gold: NDArray[np.int64], cluster: NDArray[np.int64], n_draws: int
) -> tuple[Floats, Floats]:
    """(n_draws, 2) kappas and balanced accuracies, drawing clusters of the shared items one by one."""
    shared = [i for i in range(len(gold)) if not (np.isnan(panel[i]) or np.isnan(other[i]))]
    clusters = sorted({int(cluster[i]) for i in shared})
    items = {c: [i for i in shared if cluster[i] == c] for c in clusters}
    rng = np.random.default_rng(0)
    kappas, accuracies = [], []
    for _ in range(n_draws):
        drawn = [i for c in rng.integers(0, len(clusters), len(clusters)) for i in items[clusters[c]]]
        truth = gold[drawn]
        if len(set(truth)) < 2:
            kappas.append([np.nan] * 2)
            accuracies.append([np.nan] * 2)
            continue
        kappas.append([cohen_kappa_score(truth, side[drawn]) for side in (panel, other)])
        accuracies.append([balanced_accuracy_score(truth, side[drawn]) for side in (panel, other)])
    return np.array(kappas), np.array(accuracies)


@pytest.mark.parametrize("seed", [0, 1])
def test_paired_differences_agree_with_a_loop(seed: int) -> None:
    votes = simulate(seed, n_items=90, n_clusters=40)
    panel, other = votes.votes[:, 0], judge(votes, seed, missing=0.15)
    result = against_judge(panel, other, votes.gold, votes.cluster, n_draws=200)
    kappas, accuracies = plain(panel, other, votes.gold, votes.cluster, 200)
    shared = ~(np.isnan(panel) | np.isnan(other))
    assert result["n_shared"] == shared.sum() < result["n_total"] == 90
    assert result["n_clusters"] == len(set(votes.cluster[shared]))
    for metric, draws in (("kappa", kappas), ("balanced_accuracy", accuracies)):
        for column, side in enumerate(("panel", "judge")):
            assert result[metric][side]["resample_mean"] == pytest.approx(np.nanmean(draws[:, column]))
            assert result[metric][side]["n_scored"] == shared.sum()
        difference = draws[:, 0] - draws[:, 1]
        delta = result[metric]["delta"]
        assert delta["resample_mean"] == pytest.approx(np.nanmean(difference))
        assert [delta["low"], delta["high"]] == pytest.approx(np.nanpercentile(difference, [2.5, 97.5]))
        # scikit-learn is off by a rounding where the two scores are equal.
        assert delta["p_one_sided"] == np.mean(difference <= 1e-12)


def test_draws_with_one_class_are_undefined_for_both_metrics() -> None:
    gold = np.array([0, 0, 0, 1])
    votes = np.array([0.0, 1.0, 0.0, 1.0])
    result = against_judge(votes, 1 - votes, gold, np.arange(4), n_draws=300)
    for metric in ("kappa", "balanced_accuracy"):
        # A quarter of the items is hallucinated: (3/4)^4 of the draws miss it.
        assert result[metric]["delta"]["undefined_draws"] == pytest.approx(300 * 0.75**4, abs=40)


def test_a_verdict_needs_a_clear_difference() -> None:
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 2, 400)
    good, poor = gold.astype(float), rng.integers(0, 2, 400).astype(float)
    cluster = np.arange(400)
    assert against_judge(good, poor, gold, cluster, 200)["verdict"] == "panel ahead"
    assert against_judge(poor, good, gold, cluster, 200)["verdict"] == "judge ahead"
    assert against_judge(good, good, gold, cluster, 200)["verdict"] == "unresolved"


def test_without_shared_items_there_is_a_reason() -> None:
    silent, votes = np.full(3, np.nan), np.array([0.0, 1.0, 1.0])
    result = against_judge(silent, votes, np.array([0, 1, 1]), np.arange(3))
    assert result == {
        "n_shared": 0,
        "n_total": 3,
        "n_clusters": 0,
        "reason": "no item has a verdict of both",
    }


def with_judges(seed: int = 0) -> SuiteContext:
    votes = simulate(seed)
    others = {
        "sonnet": (member("sonnet", "frontier"), {"medhallu": judge(votes, 7)}),
        "big": (member("big", "larger"), {"medhallu": judge(votes, 8)}),
        "trained": (member("trained", "purpose_trained"), {"medhallu": judge(votes, 9)}),
    }
    return suite_context({"medhallu": votes}, others)


def test_the_step_compares_frontier_and_larger_judges() -> None:
    values = frontier.derive(with_judges().benchmarks["medhallu"])
    assert {name: entry["role"] for name, entry in values.items()} == {"sonnet": "frontier", "big": "larger"}


def test_what_is_kept_over_a_suite_and_holm(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("kept")
    derived = derive(
        write_full_suite(folder / "toy"), folder / "derived", ["frontier", "substitution", "multiplicity"]
    )
    names = derived.benchmarks
    entries = [derived.read(name, "frontier")["sonnet"] for name in names]
    kept = derived.read_suite("substitution")["sonnet"]
    shares = [e["kappa"]["panel"]["resample_mean"] / e["kappa"]["judge"]["resample_mean"] for e in entries]
    assert kept["kappa_kept"]["median"] == pytest.approx(np.median(shares))
    points = [e["balanced_accuracy"]["delta"]["resample_mean"] for e in entries]
    assert kept["balanced_accuracy_difference"]["mean"] == pytest.approx(np.mean(points))
    assert substitution.READS == ("frontier",)

    families = derived.read_suite("multiplicity")
    assert set(families["core"]["benchmarks"]) == {"medhallu", "wice"}
    assert set(families["all"]["benchmarks"]) == set(names)
    for family in families.values():
        raw = [entry["p_one_sided"] for entry in family["benchmarks"].values()]
        adjusted = [entry["p_holm"] for entry in family["benchmarks"].values()]
        assert adjusted == pytest.approx(multipletests(raw, method="holm")[1])
    assert multiplicity.CORE == "core grounded"
