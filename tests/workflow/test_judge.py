"""The judging rules with a judge environment that only writes down how it was called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.workflow.planning import planned, snakemake

PARTS = {"smollm2-135m": ["1/1"], "qwen2.5-coder-0.5b": ["1/2", "2/2"]}
DEVICES = {"smollm2-135m": ["--gpus", "0"], "qwen2.5-coder-0.5b": ["--gpus", "2", "--devices", "0,1,GPU-7"]}


def calls(folder: Path) -> list[tuple[list[str], str]]:
    lines = (folder / "calls.jsonl").read_text().splitlines()
    return [tuple(json.loads(line)) for line in lines]


def test_every_judge_is_fetched_run_and_analysed(panel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAIM_WEIGHTS", raising=False)
    ladder = "results/mini/derived/minipairs/ladder.json"
    done = snakemake(panel, ladder, "--cores", "1", "--configfile", "plans/mine.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    made = [arguments for arguments, _ in calls(panel)]
    plan = "results/mini/plan.yaml"
    for judge in ("smollm2-135m", "qwen2.5-coder-0.5b"):
        fetch = ["-m", "raim", "fetch", judge, "--plan", plan, "--weights", "my weights"]
        for part in PARTS[judge]:
            ask = ["-m", "raim", "judge", plan, "--judge", judge, "--slice", part, "--store", "my store"]
            ask += ["--threads", "1", *DEVICES[judge]]
            assert made.index(fetch) < made.index(ask)
    assert made[-1] == ["-m", "raim", "export", plan, "--store", "my store", "--out", "results/mini/suite"]
    assert len(made) == 2 + 3 + 1
    assert {weights for arguments, weights in calls(panel) if arguments[2] != "fetch"} == {"my weights"}
    judge = yaml.safe_load((panel / plan).read_text())["judge"]
    # A relative source is taken from the folder of the file that states it, not from the plan's.
    assert judge["sources"] == {"factscore": str((panel / "data" / "facts.jsonl").resolve())}
    assert [plan["benchmarks"] for plan in judge["plans"]] == [{"minipairs": {"clusters": 30}}]
    assert "stacked" in json.loads((panel / ladder).read_text())["methods"]


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


def test_a_judge_behind_an_api_has_calls_and_neither_weights_nor_gpus(panel: Path) -> None:
    path = panel / "plans" / "mine.yaml"
    config = yaml.safe_load(path.read_text())
    config["judge"]["plans"][0]["members"].append({"judge": "claude-sonnet-4.6", "protocol": "generative"})
    config["judge"] |= {"gpus": 1, "slices": 3}
    path.write_text(yaml.safe_dump(config))
    done = snakemake(panel, "-n", "--configfile", "plans/mine.yaml", "--printshellcmds", "--quiet", "reason")
    assert planned(done)["fetch_weights"] == 2
    assert planned(done)["judge"] == 3 + 3 + 1
    (command,) = [line for line in done.stdout.splitlines() if "--judge claude-sonnet-4.6" in line]
    assert "--slice 1/1 " in command
    assert "--threads 1 --gpus 0 " in command


def test_a_misspelt_judge_is_named(panel: Path) -> None:
    path = panel / "plans" / "mine.yaml"
    config = yaml.safe_load(path.read_text())
    config["judge"]["slices"] = {"smollm": 2}
    path.write_text(yaml.safe_dump(config))
    done = snakemake(panel, "-n", "--configfile", "plans/mine.yaml")
    assert done.returncode != 0
    assert "judge: slices: smollm is not among the members' judges: smollm2-135m" in done.stdout + done.stderr
