"""What the publication's own numbers let us check without its votes."""

from __future__ import annotations

import json

import pytest

from analysis.combiners.best_single import best_on_average
from analysis.estimators.admissibility import DECLARED, call
from analysis.estimators.error_correlation import effective_votes
from analysis.statistics.holm import holm
from analysis.statistics.intervals import Interval
from analysis.statistics.readings import reading, verdict

# Table 6: phi-bar and spread; appendix B: n_eff; Table 6: regime.
TABLE_6 = {
    "MedHallu": (0.335, 10, 2.49, True),
    "WiCE": (0.320, 9, 2.58, True),
    "RAGTruth": (0.546, 2, 1.69, False),
    "XSum": (0.494, 4, 1.84, False),
    "CNN": (0.854, 0, 1.15, False),
    "ExpertQA": (0.566, 0, 1.64, False),
    "FActScore": (0.106, 5, 5.11, True),
    "TruthfulQA": (0.261, 2, 2.98, False),
}
# Appendix K and the release: raw one-sided p and Holm over the core four.
CORE_P = {"MedHallu": 0.012, "WiCE": 0.0775, "RAGTruth": 0.2795, "XSum": 0.045}
CORE_HOLM = {"MedHallu": 0.048, "WiCE": 0.155, "RAGTruth": 0.2795, "XSum": 0.135}
OTHER_P = {"FActScore": 0.082, "TruthfulQA": 0.497, "CNN": 0.0785, "ExpertQA": 0.6625}
# Table 1, column best (kappa), and section 3.2.
VERDICTS = {"medhallu": "clean win"}


@pytest.fixture(scope="module")
def release(shared_spec):
    return json.loads((shared_spec / "raim_release_reference.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def datasets(release):
    return {name: entry for name, entry in release.items() if "diffs" in entry and "kappa" in entry}


def interval(triple):
    return Interval(*triple, undefined_draws=0)


@pytest.mark.parametrize("dataset", TABLE_6)
def test_effective_votes_of_appendix_b(dataset):
    phi_bar, _, n_eff, _ = TABLE_6[dataset]
    assert effective_votes(10, phi_bar) == pytest.approx(n_eff, abs=0.02)


@pytest.mark.parametrize("dataset", TABLE_6)
def test_regime_of_table_6(dataset):
    phi_bar, spread, _, admissible = TABLE_6[dataset]
    assert call(spread, DECLARED.required(10), phi_bar, DECLARED.phi) is admissible


def test_holm_of_appendix_k():
    assert holm(CORE_P) == pytest.approx(CORE_HOLM)
    assert holm(CORE_P | OTHER_P)["MedHallu"] == pytest.approx(0.096)


def test_verdicts_of_section_3(datasets):
    assert len(datasets) == 8
    for name, entry in datasets.items():
        diffs = entry["diffs"]
        called = verdict(interval(diffs["stacked-best_single_cv"]), interval(diffs["stacked-oracle_best"]))
        assert called == VERDICTS.get(name, "tie"), name


@pytest.mark.parametrize(
    ("contrast", "counts"),
    [
        ("stacked-average_member", {"clear improvement": 8}),
        (
            "stacked-best_single_cv",
            {"clear improvement": 1, "unresolved improvement": 6, "unresolved worsening": 1},
        ),
    ],
)
def test_count_line_of_table_1(datasets, contrast, counts):
    words = [reading(interval(entry["diffs"][contrast])) for entry in datasets.values()]
    assert {word: words.count(word) for word in set(words)} == counts


@pytest.mark.parametrize("key", ["diff_panel_minus_frontier", "diff_bacc_panel_minus_frontier"])
def test_count_line_of_table_1_against_the_frontier(release, key):
    words = [reading(interval(entry[key])) for entry in release["panel_vs_sonnet"].values()]
    assert {word: words.count(word) for word in set(words)} == {
        "clear improvement": 1,
        "unresolved improvement": 1,
        "clear worsening": 3,
        "unresolved worsening": 3,
    }


def test_best_on_average_and_oracle_members(release, datasets):
    kappas = release["member_kappa"]
    for name, entry in datasets.items():
        assert best_on_average(kappas) == entry["best_on_avg_model"]
        assert max(sorted(kappas[name]), key=kappas[name].get) == entry["oracle_model"]
