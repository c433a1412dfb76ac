"""The judging rules with a judge environment that only writes down how it was called."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import yaml

from tests.workflow.planning import snakemake

FAKE = '''#!{python}
"""Stands for the judge environment's Python: notes its arguments, and exports a synthetic suite."""
import json, os, sys
from pathlib import Path

sys.path[:0] = [os.getcwd(), {root!r}]
import yaml
from tests.synthetic import Judge, make_suite

with open("calls.jsonl", "a") as calls:
    print(json.dumps([sys.argv[1:], os.environ.get("RAIM_WEIGHTS", "")]), file=calls)
if sys.argv[3] == "judge" and os.path.exists("fail"):
    sys.exit("raim: error: no such judge")
if sys.argv[3] == "export":
    plan = yaml.safe_load(Path(sys.argv[4]).read_text())["judge"]
    judges = [Judge(f"{{m['judge']}}.{{m['protocol']}}", 0.5) for m in plan["members"]]
    make_suite(Path(sys.argv[-1]), judges, {{name: 30 for name in plan["benchmarks"]}})
'''


@pytest.fixture
def panel(toy: Path, root: Path) -> Path:
    """The toy clone with a configuration that judges, in a folder of its own."""
    python = toy / "judge-python"
    python.write_text(FAKE.format(python=sys.executable, root=str(root)))
    python.chmod(0o755)
    config = yaml.safe_load((toy / "config" / "judge.yaml").read_text())
    config["judge"] |= {"python": "./judge-python", "store": "my store", "weights": "my weights"}
    config["judge"]["benchmarks"] = {"minipairs": {"clusters": 30}}
    config["judge"]["sources"] = {"factscore": "../data/facts.jsonl"}
    (toy / "plans").mkdir()
    (toy / "plans" / "mine.yaml").write_text(yaml.safe_dump(config))
    return toy


def calls(folder: Path) -> list[tuple[list[str], str]]:
    lines = (folder / "calls.jsonl").read_text().splitlines()
    return [tuple(json.loads(line)) for line in lines]


def test_every_judge_is_fetched_run_and_analysed(panel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAIM_WEIGHTS", raising=False)
    done = snakemake(panel, "--cores", "1", "--configfile", "plans/mine.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    made = [arguments for arguments, _ in calls(panel)]
    plan = "results/mini/plan.yaml"
    for judge in ("smollm2-135m", "qwen2.5-coder-0.5b"):
        fetch = ["-m", "raim", "fetch", judge, "--plan", plan, "--weights", "my weights"]
        ask = ["-m", "raim", "judge", plan, "--judge", judge, "--store", "my store", "--threads", "1"]
        assert made.index(fetch) < made.index(ask)
    assert made[-1] == ["-m", "raim", "export", plan, "--store", "my store", "--out", "results/mini/suite"]
    assert len(made) == 5
    assert {weights for arguments, weights in calls(panel) if arguments[2] != "fetch"} == {"my weights"}
    judge = yaml.safe_load((panel / plan).read_text())["judge"]
    # A relative source is taken from the folder of the file that states it, not from the plan's.
    assert judge["sources"] == {"factscore": str((panel / "data" / "facts.jsonl").resolve())}
    assert judge["benchmarks"] == {"minipairs": {"clusters": 30}}
    assert (panel / "results" / "mini" / "derived" / "minipairs" / "ladder.json").exists()
    assert "2 members" in (panel / "results" / "mini" / "index.md").read_text()


def test_the_users_own_weights_are_used(panel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAIM_WEIGHTS", "elsewhere")
    done = snakemake(panel, "results/mini/suite/LOCK.json", "--cores", "1", "--configfile", "plans/mine.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert {weights for _, weights in calls(panel)} == {"elsewhere"}


def test_a_failing_judge_stops_the_run(panel: Path) -> None:
    (panel / "fail").touch()
    done = snakemake(panel, "--cores", "1", "--configfile", "plans/mine.yaml")
    assert done.returncode != 0
    assert "raim: error: no such judge" in done.stdout + done.stderr
    assert not (panel / "results" / "mini" / "suite").exists()
