"""What the workflow plans: analysis alone, and again what a change touches."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

from tests.workflow.planning import planned, snakemake, toy_clone

#: Rules that run the judge environment's Python, or are made for it; beside them an export for each suite.
INFERENCE = {"plan", "fetch_weights", "judge", "judgemoe_train"}


def inference(plan: dict[str, int]) -> set[str]:
    """The rules of a plan that are not analysis."""
    return {rule for rule in plan if rule in INFERENCE or rule.startswith("export_")}


@pytest.fixture(scope="module")
def run_once(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy clone as after a full run: every output is there and newer than what it was made from."""
    folder = toy_clone(clone, tmp_path_factory.mktemp("finished") / "raim")
    dry = snakemake(folder, "-n", "--configfile", "toy.yaml", "--quiet", "--summary")
    assert dry.returncode == 0, dry.stderr
    for line in dry.stdout.splitlines()[1:]:
        path = folder / line.split("\t")[0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    done = snakemake(folder, "--touch", "--cores", "1", "--configfile", "toy.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert planned(snakemake(folder, "-n", "--configfile", "toy.yaml")) == {}
    return folder


@pytest.fixture
def finished(run_once: Path, tmp_path: Path) -> Path:
    """A copy of the finished clone, to be changed."""
    return Path(shutil.copytree(run_once, tmp_path / "raim"))


def edit(path: Path) -> None:
    """Change a file's content and time, as an editor does."""
    path.write_text(path.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")


def test_a_fresh_clone_plans_analysis_alone(toy: Path) -> None:
    plan = planned(snakemake(toy, "-n", "--configfile", "toy.yaml"))
    assert not inference(plan)
    assert plan["benchmark_steps"] == 2
    assert all(plan[rule] == 1 for rule in ("suite_steps", "tables", "figures", "summary", "report", "check"))


def test_bare_snakemake_plans_the_released_suites(clone: Path) -> None:
    plan = planned(snakemake(clone, "-n"))
    assert not inference(plan)
    suites = yaml.safe_load((clone / "config" / "config.yaml").read_text(encoding="utf-8"))["suites"]
    benchmarks = [path for suite in suites for path in (clone / "suites" / suite / "index").glob("*.tsv")]
    assert plan["benchmark_steps"] == len(benchmarks) > 0


def test_changing_an_estimator_plans_what_depends_on_it(finished: Path) -> None:
    edit(finished / "analysis" / "combiners" / "stacked.py")
    plan = planned(snakemake(finished, "-n", "--configfile", "toy.yaml"))
    assert plan["benchmark_steps"] == 2
    assert all(plan[rule] == 1 for rule in ("tables", "figures", "check"))
    # The overview is made without the stacker.
    assert "suite_steps" not in plan


def test_changing_a_step_plans_its_pass(finished: Path) -> None:
    edit(finished / "analysis" / "steps" / "ladder.py")
    plan = planned(snakemake(finished, "-n", "--configfile", "toy.yaml"))
    assert plan["benchmark_steps"] == 2
    assert "suite_steps" not in plan


def test_changing_the_renderer_plans_the_tables_alone(finished: Path) -> None:
    edit(finished / "analysis" / "tables" / "files.py")
    plan = planned(snakemake(finished, "-n", "--configfile", "toy.yaml"))
    assert set(plan) == {"tables", "summary", "report", "all"}


def test_changing_the_comparison_plans_the_check_and_its_report(finished: Path) -> None:
    edit(finished / "analysis" / "pipeline" / "check.py")
    plan = planned(snakemake(finished, "-n", "--configfile", "toy.yaml"))
    assert set(plan) == {"check", "report", "all"}


def test_changing_the_template_plans_the_report_alone(finished: Path) -> None:
    edit(finished / "analysis" / "report" / "page.html")
    assert set(planned(snakemake(finished, "-n", "--configfile", "toy.yaml"))) == {"report", "all"}


def test_changing_a_suite_plans_its_numbers(finished: Path) -> None:
    edit(finished / "suites" / "toy" / "index" / "medhallu.tsv")
    plan = planned(snakemake(finished, "-n", "--configfile", "toy.yaml"))
    assert plan["suite_steps"] == 1
    assert plan["benchmark_steps"] >= 1


def test_inference_is_planned_when_asked_for(toy: Path) -> None:
    plan = planned(snakemake(toy, "-n", "--configfile", "config/judge.yaml"))
    assert inference(plan) == {"plan", "fetch_weights", "judge", "export_mini"}


def test_every_rule_states_its_parts_in_one_order(root: Path) -> None:
    order = [
        "input",
        "output",
        "log",
        "benchmark",
        "conda",
        "threads",
        "resources",
        "params",
        "message",
        "script",
        "shell",
    ]
    for path in sorted((root / "workflow" / "rules").glob("*.smk")):
        for body in re.split(r"^ *rule\b", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            parts = [part for part in re.findall(r"^ {4,8}(\w+):", body, flags=re.MULTILINE) if part in order]
            assert parts == sorted(parts, key=order.index), f"{path.name}: {body.split(':')[0]}"
