"""The study of the alternative annotator test in the workflow: released numbers, or made from annotations."""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.workflow.planning import planned, snakemake

SETS = {"framing", "cebab_aspects", "summeval", "lesion"}


def test_without_annotations_the_released_numbers_are_taken(toy: Path) -> None:
    (toy / "toy.yaml").write_text("suites: [toy]\ncheck: []\nstudies: [alt_test]\n", encoding="utf-8")
    plan = planned(snakemake(toy, "-n", "--configfile", "toy.yaml"))
    assert plan["alt_released_set"] == len(SETS)
    assert "alt_set" not in plan
    once = (
        "alt_simulation",
        "alt_overview",
        "alt_tables",
        "alt_figures",
        "alt_summary",
        "alt_report",
        "alt_check",
    )
    assert all(plan[rule] == 1 for rule in once)


def test_with_annotations_the_sets_are_derived(toy: Path) -> None:
    config = yaml.safe_load((toy / "config" / "alt_test.yaml").read_text(encoding="utf-8"))
    assert set(config["alt_test"]["sets"]) == SETS
    for name in SETS:
        for kind in ("human", "llm"):
            path = toy / "mine" / name / f"{kind}_annotations.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("{}", encoding="utf-8")
    config["suites"], config["alt_test"]["folder"] = ["toy"], "mine"
    (toy / "toy.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    plan = planned(snakemake(toy, "-n", "--configfile", "toy.yaml"))
    assert plan["alt_set"] == len(SETS)
    assert "alt_released_set" not in plan


def test_a_study_can_be_left_out(toy: Path) -> None:
    plan = planned(snakemake(toy, "-n", "--configfile", "toy.yaml"))
    assert not [rule for rule in plan if rule.startswith("alt_")]
