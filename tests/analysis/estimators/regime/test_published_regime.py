"""What the publication's numbers let us check of the plane, the budget and the label-free half without its votes."""

from __future__ import annotations

import json

import numpy as np
import pytest

from analysis.estimators.error_correlation import effective_votes
from analysis.estimators.panel_size import decorrelating_order
from analysis.estimators.regime.plane import Plane, invariance_counts, kappa_bracket, phi_bracket
from analysis.output import write_json
from analysis.pipeline.derived import TABLE_ORDER
from analysis.statistics.seeds import RELEASE_NAMES, benchmark_seed
from analysis.steps import regime_plane
from tests.analysis.contexts import suite_context
from tests.analysis.estimators.thresholds.test_published_family import published_phi
from tests.analysis.simulate import simulate

NAMES = {name: RELEASE_NAMES.get(name, name) for name in TABLE_ORDER}


@pytest.fixture(scope="module")
def release(shared_spec):
    return json.loads((shared_spec / "raim_release_reference.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def budget(release):
    return release["regime_budget"]


@pytest.fixture(scope="module")
def plane(budget):
    full = [budget["per_dataset"][dataset]["full"] for dataset in NAMES.values()]
    return Plane(
        np.array([entry["phi"] for entry in full]),
        np.array([entry["spread"] for entry in full]),
        np.full(len(full), 10),
    )


@pytest.mark.parametrize(
    ("benchmark", "seed"),
    [
        ("medhallu", 3860167611),
        ("ragtruth", 604233740),
        ("truthfulqa", 3716331842),
        ("factscore", 191337798),
        ("xsum", 1145224589),
        ("wice", 533968536),
        ("cnn", 746612550),
        ("expertqa", 1532260135),
    ],
)
def test_seeds_are_those_of_the_release(benchmark, seed):
    assert benchmark_seed(benchmark) == seed


def test_a_benchmark_that_the_release_lacks_is_seeded_by_its_own_name():
    assert benchmark_seed("map") != benchmark_seed("minipairs")


def test_phi_bar_is_the_mean_of_the_pairs(release, budget):
    roster = release["admissibility"]["subpanels_summary"]["roster"]
    for dataset in NAMES.values():
        phi = published_phi(release, dataset, roster)
        full = budget["per_dataset"][dataset]["full"]["phi"]
        assert np.nanmean(phi[np.triu_indices(10, 1)]) == pytest.approx(full, abs=1e-12)
        assert effective_votes(10, full) == pytest.approx(
            budget["kohli_comparison"]["ours"][dataset], abs=1e-12
        )


def test_region_of_no_change(plane, budget):
    stability = budget["threshold_stability"]
    found = [
        {"count": row.count, "phi_lo": row.phi_from, "phi_hi": row.phi_below}
        for row in invariance_counts(plane)
    ]
    assert found == stability["call_region"]
    assert list(phi_bracket(plane.phi_bar)) == stability["phi_threshold_same_calls"]
    admitted = [dataset for dataset, call in zip(NAMES.values(), plane.calls(), strict=True) if call]
    assert admitted == stability["admitted"]


def test_range_of_the_competence_bar(release, plane):
    kappas = [np.array(list(release["member_kappa"][dataset].values())) for dataset in NAMES.values()]
    low, high = kappa_bracket(plane.phi_bar, kappas)
    fifth = {dataset: sorted(release["member_kappa"][dataset].values())[-5] for dataset in NAMES.values()}
    assert (low, high) == (fifth["truthfulqa"], fifth["factscore"])
    published = release["admissibility"]["tuning"]["kappa0_same_calls"]
    grid = regime_plane._on_grid(low, high)
    assert (grid["low"], grid["high"]) == (published["lo"], published["hi"])


@pytest.mark.parametrize("benchmark", TABLE_ORDER)
def test_decorrelating_order_and_its_correlations(release, benchmark):
    roster = release["admissibility"]["subpanels_summary"]["roster"]
    entry = release["diversity"][NAMES[benchmark]]
    phi = published_phi(release, NAMES[benchmark], roster)
    order = decorrelating_order(phi, roster.index(entry["final_models"][0]), list(range(10)))
    assert [roster[column] for column in order] == entry["final_models"]
    for point in entry["sweep"][1:]:
        pairs = phi[np.ix_(order[: point["K"]], order[: point["K"]])][np.triu_indices(point["K"], 1)]
        assert (pairs.mean(), pairs.max()) == pytest.approx(
            (point["mean_corr"], point["max_corr"]), abs=1e-12
        )


@pytest.fixture(scope="module")
def suite_step(release, budget, tmp_path_factory):
    """The suite step on the release's per-dataset values."""
    folder = tmp_path_factory.mktemp("derived")
    roster = release["admissibility"]["subpanels_summary"]["roster"]
    for benchmark, dataset in NAMES.items():
        entry = budget["per_dataset"][dataset]
        full, kappas = entry["full"], release["member_kappa"][dataset]
        identity, apparent = entry["agreement_identity"], entry["unsupervised"]
        free = {"competent": apparent["spread"], "leader_is_the_gold_leader": apparent["leader_correct"]}
        regime = {
            "members": roster,
            "phi_bar": full["phi"],
            "n_eff": entry["n_eff"],
            "competent": full["spread"],
            "required": 5,
            "admissible": full["favourable"],
            "excess": full["excess"],
            "leader": full["leader"],
            "kappas": {model: kappas[model] for model in roster},
            "agreement": {
                "pairs": 45,
                "votes": identity["mean_pairwise_vote_agreement"],
                "difference": identity["abs_difference"],
            },
            "label_free": {"published": free, "converged": free},
        }
        budgets = {
            str(point["budget"]): {
                "same_call": point["p_call_correct"],
                "same_leader": point["p_leader"],
                "phi_bar": {"error_median": point["phi_abs_err_median"]},
                "competent": {"error_median": point["spread_abs_err_median"]},
                "excess": {"error_median": point["excess_abs_err_median"]},
            }
            for point in entry["budgets"]
        }
        (folder / benchmark).mkdir()
        write_json(folder / benchmark / "regime.json", regime)
        write_json(folder / benchmark / "regime_budget.json", {"budgets": budgets})
    write_json(folder / "overview.json", {"benchmarks": {name: {} for name in NAMES}})
    panel = simulate(0, n_items=20, n_clusters=10)
    return regime_plane.derive(suite_context(dict.fromkeys(NAMES, panel), derived=folder))


def test_excess_is_that_of_the_kappas(release, budget):
    for dataset in NAMES.values():
        kappas = np.array(list(release["member_kappa"][dataset].values()))
        full = budget["per_dataset"][dataset]["full"]
        assert np.maximum(0, kappas - 0.30).sum() == pytest.approx(full["excess"], abs=1e-12)
        assert (kappas >= 0.30).sum() == full["spread"]


def test_suite_rows_of_table_6(suite_step, budget):
    keys = {
        "n_benchmarks": "n_datasets",
        "same_call_mean": "mean_p_call_correct",
        "same_call_min": "min_p_call_correct",
        "same_leader_mean": "mean_p_leader",
        "phi_bar_error_median": "median_phi_abs_err",
        "competent_error_median": "median_spread_abs_err",
        "excess_error_median": "median_excess_abs_err",
        "competent_error_over_range": "spread_err_over_range",
        "excess_error_over_range": "excess_err_over_range",
    }
    assert suite_step["budgets"].keys() == budget["by_budget"].keys()
    for number, published in budget["by_budget"].items():
        found = suite_step["budgets"][number]
        assert {theirs: found[ours] for ours, theirs in keys.items()} == pytest.approx(published, abs=1e-12)


def test_label_free_half(suite_step, budget):
    found, published = suite_step["label_free"], budget["labelfree"]
    agreement = found["agreement_and_phi_bar"]
    assert (agreement["rho"], agreement["p"]) == pytest.approx(
        (published["rho_agreement_vs_phi"], published["p_agreement_vs_phi"])
    )
    competence = found["competence"]["published"]
    assert competence["against_gold"]["rho"] == pytest.approx(published["rho_unsup_spread_vs_gold"])
    assert competence["leaders_found"] == published["n_leader_recovered_unsupervised"]


def test_effective_votes_beside_a_frontier_panel(suite_step, budget):
    found, published = suite_step["effective_votes"], budget["kohli_comparison"]
    assert found["above_their_best"] == published["n_above_their_best"]
    assert found["above_their_asymptote"] == published["n_above_asymptote"]
    assert found["largest"] == published["max_ours"]
    for name, (phi_bar, n_eff, _) in published["reference"].items():
        assert found["frontier_panels"][name] == {"phi_bar": phi_bar, "n_eff": n_eff}
