"""What the publication's numbers let us check of the threshold family without its votes.

Error correlations and members' kappas give every sub-panel's coordinates, so that all calls are known; the sub-panels'
gains are not in the reference, only their means by call and the counts behind the declared pair.
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from analysis.estimators.thresholds.family import correlation_half, family, grid_summary
from analysis.estimators.thresholds.fixed_effects import fixed_effects
from analysis.estimators.thresholds.rows import PanelRows, youden
from analysis.estimators.thresholds.subpanels import draw_subpanels
from analysis.pipeline.derived import TABLE_ORDER
from analysis.statistics.seeds import RELEASE_NAMES

DATASETS = [RELEASE_NAMES.get(name, name) for name in TABLE_ORDER]


@pytest.fixture(scope="module")
def release(shared_spec):
    return json.loads((shared_spec / "raim_release_reference.json").read_text(encoding="utf-8"))


def published_phi(release, dataset, roster):
    entry = release["diversity"][dataset]
    place = [roster.index(model) for model in entry["final_models"]]
    phi = np.full((len(roster), len(roster)), np.nan)
    for i, row in enumerate(entry["corr_upper_triangle"]):
        for j, value in enumerate(row, start=i + 1):
            if value is not None:
                phi[place[i], place[j]] = phi[place[j], place[i]] = value
    return phi


@pytest.fixture(scope="module")
def rows(release):
    """Every sub-panel with its coordinates; gains of a call are that call's mean on the dataset, at full precision."""
    summary = release["admissibility"]["subpanels_summary"]
    roster = summary["roster"]
    parts = []
    for code, (dataset, drawn) in enumerate(zip(DATASETS, draw_subpanels([10] * 8), strict=True)):
        phi = published_phi(release, dataset, roster)
        competent = np.array([release["member_kappa"][dataset][model] >= 0.30 for model in roster])
        for position, subset in enumerate(drawn):
            pairs = phi[np.ix_(subset, subset)][np.triu_indices(subset.sum(), 1)]
            parts.append((code, position == 0, subset.sum(), (subset & competent).sum(), np.nanmean(pairs)))
    code, full, size, spread, phi_bar = (np.array(column) for column in zip(*parts, strict=True))
    zeros = np.zeros(len(code))
    return PanelRows(code, full, size, spread, phi_bar, zeros, zeros, zeros).rounded()


def test_calls_of_all_subpanels(release, rows):
    summary = release["admissibility"]["subpanels_summary"]["summary"]
    admitted = rows.declared()
    assert len(rows) == 1888
    assert admitted.sum() == summary["pooled"]["n_admitted"]
    for code, dataset in enumerate(DATASETS):
        mine = rows.benchmark == code
        entry = summary["per_dataset"][dataset]
        assert (mine.sum(), admitted[mine].sum()) == (entry["n"], entry["n_admitted"])
        assert bool(admitted[mine & rows.full][0]) is entry["full_panel_admissible"]


def test_grid(release, rows):
    tuning = release["admissibility"]["tuning"]["grid"]
    found = grid_summary(rows)
    assert found["pairs"] == tuning["n_pairs"]
    for ours, theirs in (("subpanels", "subpanels"), ("full_panels", "full_panels")):
        assert found[ours]["admit_none"] == tuning[theirs]["n_admit_none"]
        assert found[ours]["admit_all"] == tuning[theirs]["n_admit_all"]
    none = found["full_panels"]["admitting_none"]
    assert sorted({run["share"] for run in none}) == tuning["full_panels"]["admit_none_c"]
    assert [min(run["phi_from"] for run in none), max(run["phi_to"] for run in none)] == tuning[
        "full_panels"
    ]["admit_none_phi_range"]


def test_competent_panels_above_the_bar(release, rows):
    half = release["admissibility"]["tuning"]["correlation_half"]
    found = correlation_half(rows, DATASETS)
    assert found["competent_panels"] == half["n_competence_qualified"] == 680
    assert found["above_the_bar"] == half["n_above_bar"] == 106
    for dataset, entry in half["per_dataset"].items():
        ours = found["benchmarks"][dataset]
        assert (ours["below"], ours["above"]) == (entry["n_below_bar"], entry["n_above_bar"])
    # The optimum of either objective is flat above its bar, or not, by how many panels lie there.
    flat = release["admissibility"]["tuning"]["objectives"]
    assert (rows.passes_count(0.4) & (rows.phi_bar > 0.53)).sum() == flat["A_safe"]["panels_above_flat_phi"][
        "0.4"
    ]
    assert (rows.passes_count(0.3) & (rows.phi_bar > 0.48)).sum() == flat["B_gain"]["panels_above_flat_phi"][
        "0.3"
    ]


@pytest.mark.parametrize(
    ("objective", "admitted_share", "rejected_share", "meets"),
    [
        ("A_safe", "share_frontier_below_010_admitted", "share_frontier_below_010_rejected", False),
        ("B_gain", "share_gain_best_positive_admitted", "share_gain_best_positive_rejected", True),
    ],
)
def test_j_of_the_declared_pair(release, rows, objective, admitted_share, rejected_share, meets):
    """From the published shares by call: who meets the target within a call does not matter to J."""
    pooled = release["admissibility"]["subpanels_summary"]["summary"]["pooled"]
    admitted = rows.declared()
    target = np.zeros(len(rows), dtype=bool)
    for side, share in ((admitted, pooled[admitted_share]), (~admitted, pooled[rejected_share])):
        index = np.flatnonzero(side)
        count = round((share if meets else 1 - share) * len(index))
        target[index[:count]] = True
    published = release["admissibility"]["tuning"]["objectives"][objective]
    assert target.mean() == pytest.approx(published["share_positive"], abs=1e-12)
    assert youden(admitted, target) == pytest.approx(published["J_declared"], abs=1e-12)


def test_regression_on_the_call(release, rows):
    """Within a dataset the coefficient depends on the means by call alone, and so does its bootstrap."""
    summary = release["admissibility"]["subpanels_summary"]["summary"]
    admitted = rows.declared()
    gain = np.zeros(len(rows))
    for code, dataset in enumerate(DATASETS):
        for side, key in ((admitted, "gain_best_admitted"), (~admitted, "gain_best_rejected")):
            gain[side & (rows.benchmark == code)] = summary["per_dataset"][dataset][key] or 0.0
    found = fixed_effects(gain, admitted.astype(float)[:, None], rows.benchmark, np.random.default_rng(0))
    published = summary["fixed_effects"]["call"]
    assert found.coefficients[0] == pytest.approx(published["coef"][0], abs=1e-12)
    assert (found.intervals[0].low, found.intervals[0].high) == pytest.approx(
        tuple(published["ci95"][0]), abs=1e-12
    )


def test_direction_on_the_full_panels(release, rows):
    """The eight full panels' kappas are in the learning curve and, for the frontier judge, in its own summary."""
    full = rows[rows.full]
    curve = release["stacker_curve"]["per_dataset"]
    scored = replace(
        full,
        stacked=np.array([curve[dataset]["saturated_kappa"] for dataset in DATASETS]),
        best_cv=np.array([curve[dataset]["budgets"][-1]["best_single"]["mean"] for dataset in DATASETS]),
        frontier=np.array([release["judges"]["sonnet"][dataset]["kappa"][0] for dataset in DATASETS]),
    )
    published = release["admissibility"]["tuning"]["family"]
    targets = {f"A_safe_margin_{m:.2f}": scored.near_frontier(m) for m in (0.05, 0.10, 0.15)}
    targets["B_gain"] = scored.beats_best_member()
    for name, target in targets.items():
        found = family(scored, target)["full_panels"]
        expected = published[name]["full_panels"]
        assert found["pairs"] == expected["points"]
        assert found["share_positive"] == expected["share_positive"]
        assert found["j_least"] == pytest.approx(expected["J_min"], abs=1e-12)
