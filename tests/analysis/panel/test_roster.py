"""What judges are called where several share a tag."""

from __future__ import annotations

import pytest

from analysis.panel.roster import judge_title
from analysis.pipeline.derived import Derived
from analysis.report.panels import panels
from analysis.tables import table22
from tests.analysis.full_suite import derive, write_full_suite


@pytest.fixture(scope="module")
def derived(tmp_path_factory: pytest.TempPathFactory) -> Derived:
    folder = tmp_path_factory.mktemp("full")
    return derive(write_full_suite(folder / "toy"), folder / "derived", [])


def test_second_arms_and_checkpoints_of_the_probe_say_what_they_are(derived: Derived) -> None:
    assert [judge_title(derived, f"gemma{what}") for what in ("", ".def_on", ".base", ".inst")] == [
        "Gemma",
        "Gemma (def_on)",
        "Gemma (probe, base)",
        "Gemma (probe, instruct)",
    ]


def test_a_flag_names_the_arm_that_is_below_the_gate(derived: Derived) -> None:
    overview = derived.overview
    entry = overview["benchmarks"]["wice"]
    names = {name: one["n_scored"] / one["n_total"] for name, one in entry["comparators"].items()}
    below = [name for name, share in names.items() if share < 0.95 and name.endswith(".def_on")]
    assert below
    (note,) = [note for note in table22.build(derived).footnotes if note.startswith("bold: ")]
    for name in below:
        tag = overview["roster"][name]["tag"]
        assert f"{tag} (def_on) on WiCE ({names[name]:.3f})" in note


def test_the_report_counts_what_stands_beside_the_single_judges(derived: Derived) -> None:
    (table,) = panels(derived).grids
    beside = {row[0]: row[-1] for row in table.rows}
    assert beside["FActScore"] == "Sonnet, Qwen2.5-32B, Prometheus-2, 9 of the probe"
    assert beside["WiCE"] == "Sonnet, Qwen2.5-32B, MiniCheck-FT5, Prometheus-2, 6 second arms, 9 of the probe"
