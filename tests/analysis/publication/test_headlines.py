"""The headline numbers: counted on the release's differences, and traced to file and key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from analysis.publication.headlines import headlines
from analysis.publication.keys import Place, Source
from analysis.statistics.intervals import Interval
from analysis.statistics.readings import reading
from analysis.steps import headlines as step
from raim.cli import main
from tests.analysis.contexts import member, suite_context
from tests.analysis.publication.tiers import Tier
from tests.analysis.simulate import simulate


def delta(triple: list[float]) -> dict[str, Any]:
    return {"resample_mean": triple[0], "reading": reading(Interval(*triple, undefined_draws=0))}


@pytest.fixture
def release(shared_spec: Path) -> Mapping[str, Any]:
    values: Mapping[str, Any] = json.loads(
        (shared_spec / "raim_release_reference.json").read_text(encoding="utf-8")
    )
    return values


def test_counts_on_the_releases_differences(release: Mapping[str, Any], tmp_path: Path) -> None:
    names = list(release["panel_vs_sonnet"])
    curves = release["stacker_curve"]["per_dataset"]
    for name in names:
        against = {
            "best_cv": "stacked-best_single_cv",
            "oracle": "stacked-oracle_best",
            "average_member": "stacked-average_member",
            "unweighted": "stacked-unweighted",
        }
        deltas = {
            f"stacked-{ours}": {"kappa": delta(release[name]["diffs"][theirs])}
            for ours, theirs in against.items()
        }
        fit = release["dawid_skene_and_holm"]["per_dataset"][name]
        deltas["stacked-dawid_skene"] = {"kappa": delta(fit["d_stacked_ds"])}
        kappas = {judge: {"kappa": kappa} for judge, kappa in release["member_kappa"][name].items()}
        gap = release["panel_vs_sonnet"][name]["diff_panel_minus_frontier"]
        files = {
            "ladder": {"deltas": deltas, "members": kappas},
            "frontier": {"sonnet": {"role": "frontier", "kappa": {"delta": delta(gap)}}},
            "learning_curve": {
                "unweighted": curves[name]["unweighted_reference"],
                "full_pool": {"kappa": curves[name]["saturated_kappa"]},
                "budgets": {
                    str(entry["budget"]): {
                        "full": entry["saturated"],
                        "stacked": {"mean": entry["stacked"]["mean"]},
                    }
                    for entry in curves[name]["budgets"]
                },
            },
        }
        for stem, values in files.items():
            path = tmp_path / name / f"{stem}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(values), encoding="utf-8")
    routes = {
        "methods": {"stacked": {"aggrefact": {"mean": 0.695}, "grounded": {"mean": 0.725}}},
        "judges": {
            "minicheck": {"grounded": {"mean": 0.666}},
            "bespoke": {"grounded": {"mean": None}},
            "sonnet": {"grounded": {"mean": 0.747}},
        },
    }
    (tmp_path / "routes.json").write_text(json.dumps(routes), encoding="utf-8")
    (tmp_path / "overview.json").write_text(
        json.dumps({"benchmarks": dict.fromkeys(names)}), encoding="utf-8"
    )
    others = {
        name: (member(name, role), {})
        for name, role in (
            ("minicheck", "purpose_trained"),
            ("bespoke", "purpose_trained"),
            ("sonnet", "frontier"),
        )
    }
    result = step.derive(suite_context(dict.fromkeys(names, simulate(0)), others, tmp_path))
    frontier = result["frontier"]["sonnet"]
    assert (frontier["clear_improvement"], frontier["unresolved"]) == (1, 4)
    assert (frontier["clear_worsening"], frontier["material_worsening"]) == (3, 2)
    assert result["panel_against"]["average_member"]["clear_improvement"] == 8
    assert result["panel_against"]["best_cv"]["clear_improvement"] == 1
    assert result["panel_against"]["dawid_skene"]["clear_worsening"] == 0
    assert result["members"] == {"on_all_benchmarks": 10, "competent_on_all_benchmarks": 0}
    assert result["records"]["50"]["above_majority"] == 7
    assert result["records"]["100"]["near_full_supervision"] == 6
    behind = result["balanced_accuracy_behind"]
    assert [f"{behind[key]:.1f}" for key in ("gpt_4o", "leaderboard", "best_specialist")] == [
        "1.3",
        "1.9",
        "-5.9",
    ]


def test_numbers_name_their_file_and_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tier = Tier("SIMULATED")
    tier.put(Place("costs", None, "comparison/ratio"), 64.33)
    tier.files["costs.json"]["comparison"]["break_even"] = [
        {"items": 40_309.15},
        {"items": 80_618.3},
        {"items": None},
    ]
    tier.put(Place("substitution", None, "<claude-sonnet-4-6>/balanced_accuracy_difference/mean"), -0.0394)
    entries = {entry.row: entry for entry in headlines(Source(tier.write(tmp_path)))}
    assert entries["frontier's price over the panel's"].equal
    assert entries["(iv) break-even at 200 labels, items"].ours == "81000"
    assert entries["points of balanced accuracy given up"].ours == "3.9"
    assert entries["break-even at 1,000 labels, items"].absent == "undefined"
    assert main(["numbers", "paper", "--derived", str(tmp_path), "--json", str(tmp_path / "out.json")]) == 0
    page = capsys.readouterr().out
    assert "suite paper: SIMULATED" in page
    assert "comparison/break_even/1/items" in page
    assert "headlines.json is not there" in page
    values = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert {value["file"] for value in values} >= {"costs.json", "recovery.json", "headlines.json"}
