"""The comparison with the publication, on tiers made of published numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from analysis.pipeline.derived import Derived
from analysis.publication.entries import SOLVER, UNEXPLAINED, count, with_causes
from analysis.publication.keys import Absent, Place, Source
from analysis.publication.printed_tables import as_printed, compare_tables
from analysis.publication.release import compare_release
from analysis.publication.report import render
from raim.cli import main
from tests.analysis.publication.tiers import Tier, of_the_release, printed


@pytest.fixture
def reference(shared_spec: Path) -> Mapping[str, Any]:
    values: Mapping[str, Any] = json.loads(
        (shared_spec / "raim_release_reference.json").read_text(encoding="utf-8")
    )
    return values


def test_the_papers_digits_are_the_releases_rounded(reference: Mapping[str, Any], tmp_path: Path) -> None:
    """Both transcriptions and both mappings at once: hundreds of printed cells against the numbers behind them."""
    entries = compare_tables(Source(of_the_release(reference, tmp_path).write(tmp_path)))
    covered = [entry for entry in entries if entry.ours is not None]
    assert len(covered) > 550
    assert [entry for entry in covered if not entry.equal] == []


def test_the_release_is_found_whole(reference: Mapping[str, Any], tmp_path: Path) -> None:
    entries = compare_release(Source(of_the_release(reference, tmp_path).write(tmp_path)), reference)
    assert len(entries) > 3000
    assert count(entries) == (len(entries), 0, 0)


def test_what_confusion_tables_fix_is_the_releases_on_the_simulated_suite(
    reference: Mapping[str, Any], root: Path
) -> None:
    """Its judges have the published tables: a score of them that differs is defined otherwise than there."""
    entries = compare_release(Source(Derived(root / "derived" / "sim")), reference)
    groups = {
        "member kappas",
        "coverage.json, members",
        "judge summaries, coverage",
        "frame_contrast.json, members",
        "abstain_encoding.json, abstentions",
    }
    fixed = [
        entry
        for entry in entries
        if entry.group in groups or (entry.group.startswith("external_f1") and "members/" in entry.column)
    ]
    assert {entry.group for entry in fixed} > groups
    assert [entry for entry in fixed if not entry.equal] == []


def test_causes(reference: Mapping[str, Any], tmp_path: Path) -> None:
    tier = of_the_release(reference, tmp_path)
    wice = tier.files["wice/ladder.json"]["methods"]
    wice["stacked"]["kappa"]["resample_mean"] += 1e-4
    tier.files["xsum/ladder.json"]["methods"]["unweighted"]["kappa"]["low"] += 1e-4
    found = with_causes(compare_release(Source(tier.write(tmp_path)), reference), "measured")
    assert [(e.row, e.cause) for e in found if e.cause] == [("wice", SOLVER), ("xsum", UNEXPLAINED)]
    simulated = with_causes(found, "SIMULATED: no judge was asked")
    assert {e.cause for e in simulated if e.cause} == {"other votes: the suite is simulated"}

    def shift(values: Any) -> Any:
        if isinstance(values, dict):
            return {key: shift(value) for key, value in values.items()}
        return values + 0.01

    for name in [name for name in tier.files if name.startswith("cnn/")]:
        tier.files[name] = shift(tier.files[name])
    found = with_causes(compare_release(Source(tier.write(tmp_path)), reference), "measured")
    causes = {e.cause for e in found if e.row == "cnn" and e.cause}
    assert len(causes) == 1
    assert causes.pop().startswith("other votes: ")


def test_what_a_suite_lacks_is_said(tmp_path: Path) -> None:
    tier = Tier()
    tier.files["wice/judges.json"] = {"skipped": "the suite has no single judge"}
    tier.files["overview.json"]["benchmarks"] = {"wice": {}}
    entries = compare_tables(Source(tier.write(tmp_path)))
    assert len(entries) == sum(3 if spec.get("interval") else 1 for *_, spec, _ in printed())
    reasons = {entry.absent for entry in entries}
    assert {"the suite has no single judge", "not a benchmark of the suite"} <= reasons
    page = render(entries)
    assert "the suite has no single judge" in page
    assert count(entries) == (0, 0, len(entries))


def test_places(tmp_path: Path) -> None:
    tier = Tier(members={"google/gemma-2-9b-it"})
    tier.put(Place("ladder", "wice", "members/<google/gemma-2-9b-it>/kappa"), 0.5)
    tier.files["wice/ladder.json"]["list"] = [1.0, None, "x", True]
    source = Source(tier.write(tmp_path))
    assert source.number(Place("ladder", "wice", "members/<google/gemma-2-9b-it>/kappa")) == 0.5
    assert source.number(Place("ladder", "wice", "list/0")) == 1
    for key, reason in {
        "list/1": "undefined",
        "list/2": "not a number",
        "list/3": "not a number",
        "list/4": "no entry '4'",
        "members/<openai/none>": "the suite has no openai/none",
    }.items():
        with pytest.raises(Absent, match=reason):
            source.number(Place("ladder", "wice", key))
    with pytest.raises(Absent, match=r"wice/regime\.json is not there"):
        source.number(Place("regime", "wice", "phi_bar"))


def test_a_pair_is_found_whatever_the_order_of_either_list(tmp_path: Path) -> None:
    """Row by row above the diagonal in the release's order, a whole matrix in the suite's."""
    gemma, llama, qwen = (
        "google/gemma-2-9b-it",
        "meta-llama/Llama-3.1-8B-Instruct",
        "Qwen/Qwen2.5-7B-Instruct",
    )
    tier = Tier(members={gemma, llama, qwen})
    names = {entry["judge"]: name for name, entry in tier.files["overview.json"]["roster"].items()}
    tier.files["wice/regime.json"] = {
        "members": [names[llama], names[qwen], names[gemma]],
        "phi": [[1.0, 0.1, 0.2], [0.1, 1.0, 0.3], [0.2, 0.3, 1.0]],
    }
    release = {"final_models": [gemma, qwen, llama], "corr_upper_triangle": [[0.3, 0.2], [0.4]]}
    entries = compare_release(
        Source(tier.write(tmp_path)), {"diversity": {"aggrefact_wice": release}, "member_kappa": {}}
    )
    assert [(entry.column, entry.ours, entry.equal) for entry in entries] == [
        (f"<{gemma}>/<{qwen}>", "0.3", True),
        (f"<{gemma}>/<{llama}>", "0.2", True),
        (f"<{qwen}>/<{llama}>", "0.1", False),
    ]


@pytest.mark.parametrize(
    ("value", "published", "text"),
    [
        (0.44944, "0.449", "0.449"),
        (0.0169, "+0.017", "+0.017"),
        (-0.0004, "-0.00", "-0.00"),
        (222.0, "222", "222"),
    ],
)
def test_digits(value: float, published: str, text: str) -> None:
    assert as_printed(value, published) == text


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tier = Tier()
    for benchmark, n in (("wice", 222), ("medhallu", 1999)):
        tier.put(Place("ladder", benchmark, "n_items"), n)
        tier.put(Place("ladder", benchmark, "methods/unweighted/kappa/resample_mean"), 0.4494)
    tier.put(Place("ladder", "wice", "methods/stacked/kappa/resample_mean"), 0.5412)
    tier.write(tmp_path / "derived")
    arguments = ["check", "paper", "--published", "--regenerated", str(tmp_path / "derived")]
    out = tmp_path / "out.json"
    assert main([*arguments, "--json", str(out)]) == 0
    page = capsys.readouterr().out
    assert "Table 1, medhallu, n: 1999, published 2000" in page
    assert "other votes: 2 of 2 scores" in page
    values = json.loads(out.read_text(encoding="utf-8"))["as printed"]
    stacked = next(
        v for v in values if v["key"] == "methods/stacked/kappa/resample_mean" and v["row"] == "wice"
    )
    assert stacked["file"] == "wice/ladder.json"
    assert (stacked["ours"], stacked["published"], stacked["cause"]) == ("0.541", "0.540", SOLVER)
    tier.put(Place("ladder", "wice", "n_items"), 223)
    tier.write(tmp_path / "derived")
    assert main(arguments) == 1
    assert "1 differ by unexplained" in capsys.readouterr().out
    assert main(["check", "paper", "--reference", "x.json"]) == 2
    assert main([*arguments, "--reference", str(tmp_path / "none.json")]) == 2
