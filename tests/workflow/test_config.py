"""Configurations that cannot be used: the message says what to change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from raim.config import validate
from raim.errors import InputError
from tests.workflow.planning import snakemake

PLAN = {
    "suite": "mini",
    "benchmarks": ["minipairs"],
    "members": [{"judge": "smollm2-135m", "protocol": "constrained"}],
}
JUDGE = {"plans": [PLAN], "python": "python3", "store": "store", "weights": "weights"}
GOOD = {"suites": ["cpu"], "check": []}


@pytest.fixture(scope="module")
def schema(root: Path) -> Path:
    return root / "config" / "schema" / "config.schema.yaml"


@pytest.mark.parametrize("name", ["config", "cpu", "judge", "judgemoe", "paper", "scores"])
def test_shipped_configurations_are_valid(root: Path, schema: Path, name: str) -> None:
    validate(yaml.safe_load((root / "config" / f"{name}.yaml").read_text(encoding="utf-8")), schema)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"suites": "cpu"}, "suites: 'cpu' is not of type 'array'; give a list of suites, such as [cpu]"),
        ({"suites": []}, "suites: [] should be non-empty; give a list of suites"),
        ({"suites": ["CPU!"]}, "suites[0]: 'CPU!' does not match"),
        ({"suits": ["cpu"]}, "suits: there is no such option; did you mean 'suites'?"),
        (
            {"check": "false"},
            "check: is the text 'false', as `--config` passes it; write the option into a YAML file",
        ),
        ({"judge": {**JUDGE, "gpu": 1}}, "judge.gpu: there is no such option; did you mean 'gpus'?"),
        (
            {"judge": {**JUDGE, "plans": [{**PLAN, "members": [{"judge": "a", "protocol": "free"}]}]}},
            "judge.plans[0].members[0].protocol: 'free' does not match '^(generative|constrained|",
        ),
        (
            {"judge": {**JUDGE, "plans": [PLAN, {"suite": "mini"}]}},
            "judge.plans[1].members: is missing; give a list of members",
        ),
        ({"judge": {**JUDGE, "plans": []}}, "judge.plans: [] should be non-empty; give a list of plans"),
        # A section that states its one plan itself.
        (
            {"judge": {**JUDGE, **PLAN}},
            "judge.members: there is no such option; known options: devices, gpus, plans",
        ),
        (
            {"judgemoe": {"sources": {"cpu": {"suite": "mine"}}}},
            "'cpu' does not match '^(?!(paper|sim|cpu)$)[a-z0-9_-]+$'; give a pool of your own a name",
        ),
        (
            {"judge": {**JUDGE, "gpus": -1}},
            "judge.gpus: -1 is less than the minimum of 0; give the number of GPUs",
        ),
        (
            {"judge": {**JUDGE, "slices": 0}},
            "judge.slices: 0 is less than the minimum of 1; give the number of processes",
        ),
        (
            {"judge": {**JUDGE, "gpus": {"default": 1, "llama-3.1-8b": -1}}},
            "judge.gpus.llama-3.1-8b: -1 is less than the minimum of 0; give the number of GPUs",
        ),
    ],
)
def test_errors_name_the_option_and_the_remedy(schema: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        validate({**GOOD, **change}, schema)
    assert message in str(caught.value)


def test_each_problem_is_listed_once(schema: Path) -> None:
    with pytest.raises(InputError) as caught:
        validate({"suites": [], "judge": {"plans": [{"suite": "mini"}]}}, schema)
    lines = str(caught.value).splitlines()
    assert len(lines) == len(set(lines)) == 1 + 1 + 1 + 3 + 2


def test_snakemake_shows_the_message(toy: Path) -> None:
    done = snakemake(toy, "-n", "--config", "check=false")
    assert done.returncode != 0
    assert "check: is the text 'false'" in done.stdout + done.stderr


def test_an_unknown_suite_is_named_with_those_there_are(toy: Path) -> None:
    (toy / "toy.yaml").write_text("suites: [nope]\ncheck: []\n", encoding="utf-8")
    done = snakemake(toy, "-n", "--configfile", "toy.yaml")
    assert done.returncode != 0
    text = done.stdout + done.stderr
    assert "there is no suite 'nope'" in text
    assert "toy" in text.split("suites here:")[1]


def test_a_check_without_committed_numbers_says_how_to_accept_them(toy: Path) -> None:
    (toy / "derived" / "toy" / "overview.json").unlink()
    done = snakemake(toy, "-n", "--configfile", "toy.yaml")
    assert done.returncode != 0
    assert "raim accept toy" in done.stdout + done.stderr
