"""`raim judge` with the frontier judge of the paper, from the plan to the store, against the local server."""

from __future__ import annotations

import json
import logging
import re
import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from raim.cli import main
from tests.verdicts.engines.api.server import KEY, MODEL, Answer, Api, error, message
from tests.verdicts.making import configuration
from verdicts.engines.api.settings import ApiSettings
from verdicts.plan_file import read_plan
from verdicts.store import Store

pytest.importorskip("anthropic", reason="needs the package anthropic")

PAIRS = 3


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # Waits between tries and looks cost a test nothing.
    monkeypatch.setattr("threading.Event.wait", lambda self, timeout=None: self.is_set())
    return tmp_path


def plan(protocol: str = "generative", **api: Any) -> str:
    entry = {
        "suite": "mini",
        "benchmarks": {"minipairs": {"clusters": PAIRS}},
        "members": [{"judge": "claude-sonnet-4.6", "protocol": protocol}],
        "settings": {"dtype": "bfloat16", "api": {"requests_per_minute": 1e9, **api}},
    }
    Path("plan.yaml").write_text(yaml.safe_dump(configuration(entry)))
    return "plan.yaml"


def judge(*more: str) -> int:
    return main(["judge", "plan.yaml", "--judge", "claude-sonnet-4.6", *more])


def records() -> dict[str, Any]:
    return {
        record.prompt: record.value for shard in Store(Path("store")).shards() for record in shard.records()
    }


@pytest.mark.parametrize("batch", [False, True], ids=["messages", "batches"])
def test_from_the_plan_to_the_suite(api: Api, batch: bool, capsys: pytest.CaptureFixture[str]) -> None:
    plan(batch=batch)
    assert judge() == 0
    assert f"{2 * PAIRS} records made; the store is store" in capsys.readouterr().out
    found = records()
    assert {(value.verdict, value.rule, value.finish) for value in found.values()} == {
        (0, "verdict_line", "stop")
    }
    assert {(value.prompt_tokens, value.reply_tokens) for value in found.values()} == {(100, 10)}
    (shard,) = Store(Path("store")).shards()
    assert (shard.condition.judge, shard.condition.chat) == (MODEL, None)
    # The plan's dtype is of local judges, and so is the limit of their context.
    assert (shard.condition.decoding["dtype"], shard.condition.decoding["context"]) == ("not stated", 200_000)
    (run,) = shard.runs()
    assert (run.engine, run.versions["model"], run.versions["anthropic-version"]) == (
        "anthropic",
        MODEL,
        "2023-06-01",
    )
    assert run.hardware.endswith("Message Batches" if batch else "Messages")

    # The ledger names the same prompts, beside the store.
    lines = Path("store/api/claude-sonnet-4.6.ledger.jsonl").read_text().splitlines()
    named = {json.loads(line)["prompt"] for line in lines}
    assert named == {prompt[:40] for prompt in found}

    asked = len(api.seen)
    assert judge() == 0
    assert len(api.seen) == asked
    assert main(["export", "plan.yaml", "--out", "suite"]) == 0
    assert main(["verify", "--lock", "suite"]) == 0
    written = "".join(path.read_bytes().decode("latin-1") for path in Path().rglob("*") if path.is_file())
    assert KEY not in written + capsys.readouterr().out


def test_failures_end_the_run_and_are_asked_again(
    api: Api, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """One prompt is refused, one gets no answer; a refusal of the judge's own is an answer."""
    plan()
    assert judge() == 0
    prompts = sorted(api.prompts())
    shutil.rmtree("store")
    answers = {
        prompts[0]: error(400, "invalid_request_error"),
        prompts[1]: error(529, "overloaded_error"),
        prompts[2]: Answer(body=message("I would rather not", "refusal")),
    }
    api.behave = lambda seen, turn: answers.get(seen.prompt)
    capsys.readouterr()
    with caplog.at_level(logging.INFO):
        assert judge() == 2
    failed = [line for line in caplog.messages if "no answer" in line]
    assert len(failed) == 2
    assert "HTTP 400, invalid_request_error: told so" in failed[0]
    assert "HTTP 529, overloaded_error: told so" in failed[1]
    assert all(line.startswith("minipairs, claude-sonnet-4.6.generative: ") for line in failed)
    assert "2 items got no answer, as listed above, and no record: run this again" in capsys.readouterr().err
    assert any("USD in this run" in line for line in caplog.messages)
    assert sorted(value.rule for value in records().values()) == ["refusal", *["verdict_line"] * 3]

    api.behave = lambda seen, turn: None
    before = len(api.prompts())
    assert judge() == 0
    assert sorted(api.prompts()[before:]) == prompts[:2]
    assert len(records()) == 2 * PAIRS


def test_the_cap_ends_the_run_and_raising_it_goes_on(api: Api, capsys: pytest.CaptureFixture[str]) -> None:
    plan(max_usd=0.01, concurrency=1)
    assert judge() == 2
    told = capsys.readouterr().err
    assert "the spending cap of 0.01 USD leaves no room" in told
    assert "raise `max_usd` and run this again" in told
    made = len(records())
    assert 0 < made < 2 * PAIRS
    assert f"({made} records were made by this run, and are kept)" in told
    plan(max_usd=1.0)
    assert judge() == 0
    assert len(api.prompts()) == len(records()) == 2 * PAIRS


def test_probabilities_are_refused_before_anything_is_asked(
    api: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    plan("constrained")
    assert judge() == 2
    assert (
        "claude-sonnet-4.6: its API exposes no log-probabilities, which constrained would read"
        in capsys.readouterr().err
    )
    assert api.seen == []


def test_a_missing_key_is_told_before_anything_is_asked(
    api: Api, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan()
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert judge() == 2
    assert "raim: error: ANTHROPIC_API_KEY is not set" in capsys.readouterr().err
    assert not list(Path().rglob("*.jsonl"))


def test_settings_of_the_plan_reach_the_engine() -> None:
    api = read_plan(Path(plan(batch=True, max_usd=3, usd_per_million={"input": 1.5}))).settings.api
    assert (api.batch, api.max_usd, api.usd_per_million, api.concurrency) == (True, 3, {"input": 1.5}, 8)


def test_the_documented_plan_is_one(root: Path) -> None:
    text = (root / "docs" / "api_judges.md").read_text(encoding="utf-8")
    Path("plan.yaml").write_text(re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)[0])
    settings = read_plan(Path("plan.yaml")).settings
    assert settings.api == ApiSettings(max_usd=5, requests_per_minute=50)
    table = dict(re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", text, re.MULTILINE))
    assert table.keys() == {field.name for field in fields(ApiSettings)} - {"folder"}
    assert {name: table[name] for name in ("concurrency", "requests_per_minute", "batch", "cache")} == {
        "concurrency": "8",
        "requests_per_minute": "50",
        "batch": "false",
        "cache": "true",
    }


@pytest.mark.parametrize(
    "api", [{"max_usd": 0}, {"concurrency": 0}, {"usd_per_million": {"inputs": 3}}, {"bach": True}], ids=str
)
def test_wrong_settings_are_named(api: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    plan(**api)
    assert judge() == 2
    assert f"judge.plans[0].settings.api.{next(iter(api))}" in capsys.readouterr().err
