"""Batches: sent once, waited for, joined by request, resumed by the next run."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from tests.verdicts.engines.api.conftest import Clock
from tests.verdicts.engines.api.server import KEY, MODEL, Answer, Api, error, message
from verdicts.engines.base import Failed, Reply

pytest.importorskip("anthropic", reason="needs the package anthropic")
Make = Callable[..., Any]

PROMPTS = [f"the text of prompt {i:02d}" for i in range(6)]
BATCHES = "/v1/messages/batches"


def notes(folder: Path) -> list[dict[str, Any]]:
    """What is on file of batches, oldest first."""
    found = sorted((folder / "api" / "batches" / "claude-sonnet-4.6").glob("*.json"))
    return [json.loads(path.read_text()) for path in found]


def ledger(folder: Path) -> list[dict[str, Any]]:
    path = folder / "api" / "claude-sonnet-4.6.ledger.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def texts(answers: list[Any]) -> list[Any]:
    return [answer.text[:8] if isinstance(answer, Reply) else answer for answer in answers]


def test_a_batch_answers_each_prompt(
    api: Api, make_engine: Make, clock: Clock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Results come in no order; equal prompts are requests of their own; the wait is told."""
    api.looks = 3
    engine = make_engine(batch=True)
    with caplog.at_level(logging.INFO):
        answers = engine.generate([*PROMPTS, PROMPTS[0]], 384)
    assert texts(answers) == [*(prompt[-8:] for prompt in PROMPTS), PROMPTS[0][-8:]]
    assert api.posts(BATCHES) == 1
    assert api.prompts() == []
    (requests,) = api.batches.values()
    assert len({request["custom_id"] for request in requests}) == 7
    assert all(len(request["custom_id"]) <= 64 for request in requests)
    assert requests[0]["params"] == {
        "model": MODEL,
        "max_tokens": 384,
        "temperature": 0.0,
        "messages": [{"role": "user", "content": PROMPTS[0]}],
    }
    assert clock.slept == [60.0, 60.0]
    assert "in_progress" in caplog.text
    assert engine.hardware.endswith("Message Batches")
    # Half the price: 100 tokens at 3 and 10 at 15 USD a million.
    assert [entry["usd"] for entry in ledger(tmp_path)] == [pytest.approx(0.000225)] * 7
    assert {entry["batch"] for entry in ledger(tmp_path)} == set(api.batches)


def test_what_has_no_answer_in_a_batch_is_told_and_sent_again(
    api: Api, make_engine: Make, tmp_path: Path
) -> None:
    said = f"prompt is bad \x07 {KEY}"
    results = {
        PROMPTS[0]: {"type": "expired"},
        PROMPTS[1]: {"type": "canceled"},
        PROMPTS[2]: {
            "type": "errored",
            "error": {"type": "error", "error": {"type": "invalid_request_error", "message": said}},
        },
        PROMPTS[3]: {"type": "succeeded", "message": {**message(), "usage": {}}},
        PROMPTS[4]: {"type": "succeeded", "message": message("no", "refusal", id="msg_refused")},
    }
    api.result = results.get
    answers = make_engine(batch=True).generate(PROMPTS, 384)
    assert answers[:4] == [
        Failed("expired in its batch"),
        Failed("canceled in its batch"),
        Failed("errored in its batch: invalid_request_error: prompt is bad \\x07 [key]"),
        Failed("malformed answer: the message's usage has no input_tokens"),
    ]
    assert answers[4] == Reply("no", "refusal", 100, 10)
    assert texts(answers)[5] == PROMPTS[5][-8:]
    assert len(notes(tmp_path)[0]["ids"]) == 2

    # Only they are sent again; the others' answers are fetched, not paid for.
    api.result = lambda prompt: None
    again = make_engine(batch=True).generate(PROMPTS, 384)
    assert all(isinstance(answer, Reply) for answer in again)
    second = list(api.batches.values())[1]
    assert len(second) == 4
    assert again[4] == Reply(f"{PROMPTS[4][-8:]} VERDICT: SUPPORTED", "stop", 100, 10)
    assert len(ledger(tmp_path)) == 6
    assert {len(note["ids"]) for note in notes(tmp_path)} == {2, 4}


class KilledError(Exception):
    """Stands for SIGKILL: nothing of the engine runs after it."""


def killed_in(engine: Any, name: str) -> None:
    """The engine's process dies when it next calls the client's method, after the call."""
    really = getattr(engine._client, name)

    def call(*args: Any) -> Any:
        really(*args)
        raise KilledError

    setattr(engine._client, name, call)


def test_a_batch_in_flight_survives_a_killed_run(
    api: Api, make_engine: Make, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    engine = make_engine(batch=True)
    killed_in(engine, "batch")
    with pytest.raises(KilledError):
        engine.generate(PROMPTS, 384)
    assert ledger(tmp_path) == []
    (note,) = notes(tmp_path)
    assert (note["name"], note["collected"]) == (next(iter(api.batches)), False)

    # The next run wants some of it and something new.
    with caplog.at_level(logging.INFO):
        answers = make_engine(batch=True).generate([PROMPTS[3], "something else", PROMPTS[1]], 384)
    assert texts(answers) == [PROMPTS[3][-8:], "ing else", PROMPTS[1][-8:]]
    assert [len(requests) for requests in api.batches.values()] == [6, 1]
    assert "of an earlier run: 6 requests" in caplog.text
    # All of the first batch is booked, once, under the prompts' own names.
    assert len(ledger(tmp_path)) == 7
    assert len({entry["prompt"] for entry in ledger(tmp_path)}) == 7

    # Killed once more before the store had them: fetched again, not sent again, not booked again.
    make_engine(batch=True).generate(PROMPTS, 384)
    assert api.posts(BATCHES) == 2
    assert len(ledger(tmp_path)) == 7


def test_a_run_killed_while_it_sends_leaves_a_trace(api: Api, make_engine: Make, tmp_path: Path) -> None:
    engine = make_engine(batch=True)
    killed_in(engine, "create_batch")
    with pytest.raises(KilledError):
        engine.generate(PROMPTS, 384)
    assert notes(tmp_path)[0]["name"] == ""
    answers = make_engine(batch=True).generate(PROMPTS, 384)
    assert all(isinstance(answer, Reply) for answer in answers)
    assert api.posts(BATCHES) == 1


def test_a_run_killed_before_it_sends_is_forgotten(api: Api, make_engine: Make, tmp_path: Path) -> None:
    engine = make_engine(batch=True)
    engine._client.create_batch = lambda requests: 1 / 0
    with pytest.raises(ZeroDivisionError):
        engine.generate(PROMPTS, 384)
    assert api.posts(BATCHES) == 0
    make_engine(batch=True).generate(PROMPTS, 384)
    assert api.posts(BATCHES) == 1
    assert [note["collected"] for note in notes(tmp_path)] == [True]


def test_a_batch_whose_answer_was_lost_is_not_sent_twice(api: Api, make_engine: Make) -> None:
    """The connection breaks when the batch has arrived: the next try looks for it first."""
    api.lose_batch = True
    answers = make_engine(batch=True).generate(PROMPTS, 384)
    assert texts(answers) == [prompt[-8:] for prompt in PROMPTS]
    assert api.posts(BATCHES) == 1


def test_a_batch_that_is_gone_is_sent_again(
    api: Api, make_engine: Make, caplog: pytest.LogCaptureFixture
) -> None:
    make_engine(batch=True).generate(PROMPTS, 384)
    api.batches.clear()
    answers = make_engine(batch=True).generate(PROMPTS, 384)
    assert all(isinstance(answer, Reply) for answer in answers)
    assert api.posts(BATCHES) == 2
    assert "is not there any more: its requests are sent again" in caplog.text


@pytest.mark.parametrize("change", [{"max": 100}, {"text": "other"}], ids=["budget", "prompt"])
def test_a_result_is_of_the_very_question(api: Api, make_engine: Make, change: dict[str, Any]) -> None:
    make_engine(batch=True).generate([PROMPTS[0]], 384)
    make_engine(batch=True).generate([change.get("text", PROMPTS[0])], change.get("max", 384))
    assert api.posts(BATCHES) == 2


def test_results_that_break_off_are_fetched_again(
    api: Api, make_engine: Make, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    really, turns = api.answer, []

    def answer(seen: Any) -> Answer:
        found = really(seen)
        if seen.path.endswith("/results"):
            turns.append(seen.path)
            if len(turns) == 1:
                found.cut = "body"
            if len(turns) == 2:
                found.raw = b'{"custom_id": "x"'
        return found

    monkeypatch.setattr(api, "answer", answer)
    assert texts(make_engine(batch=True).generate(PROMPTS, 384)) == [prompt[-8:] for prompt in PROMPTS]
    assert len(turns) == 3
    assert len(clock.slept) == 2


def test_a_cap_sends_a_batch_in_parts(api: Api, make_engine: Make, tmp_path: Path) -> None:
    """Each request can cost half of 0.006 USD, by which parts are cut, and does cost 0.000225, which counts after."""
    cap = 0.0067
    engine = make_engine(batch=True, max_usd=cap)
    answers = engine.generate(PROMPTS, 384)
    assert all(isinstance(answer, Reply) for answer in answers)
    assert [len(requests) for requests in api.batches.values()] == [2, 2, 1, 1]
    assert engine.generate([f"more {i}" for i in range(20)], 384)[-1].ends_run
    assert sum(entry["usd"] for entry in ledger(tmp_path)) <= cap


def test_what_is_under_way_counts_under_the_cap(api: Api, make_engine: Make) -> None:
    """A killed run's batch, which the next one does not ask for, may still cost what it may cost."""
    engine = make_engine(batch=True, max_usd=0.02)
    killed_in(engine, "batch")
    with pytest.raises(KilledError):
        engine.generate(PROMPTS, 384)
    (answer,) = make_engine(batch=True, max_usd=0.02).generate(["another"], 384)
    assert answer.ends_run
    assert "spending cap" in answer.reason
    assert len(api.batches) == 1


def test_an_outage_keeps_the_batch(api: Api, make_engine: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make_engine(batch=True)
    really = api.answer
    monkeypatch.setattr(
        api, "answer", lambda seen: error(529, "overloaded_error") if seen.method == "GET" else really(seen)
    )
    answers = engine.generate(PROMPTS, 384)
    assert {answer.ends_run for answer in answers} == {True}
    assert "run this again to collect them" in answers[0].reason
    monkeypatch.undo()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    assert all(isinstance(answer, Reply) for answer in make_engine(batch=True).generate(PROMPTS, 384))
    assert api.posts(BATCHES) == 1


def test_a_batch_that_is_refused_ends_the_run(api: Api, make_engine: Make, tmp_path: Path) -> None:
    api.behave = lambda seen, turn: error(400, "invalid_request_error")
    answers = make_engine(batch=True).generate(PROMPTS, 384)
    assert {answer.ends_run for answer in answers} == {True}
    assert "invalid_request_error" in answers[0].reason
    assert notes(tmp_path) == []


def test_another_model_in_a_batch_is_an_error(api: Api, make_engine: Make) -> None:
    api.result = lambda prompt: {"type": "succeeded", "message": message(model="claude-other", id="msg_x")}
    (answer,) = make_engine(batch=True).generate(PROMPTS[:1], 384)
    assert answer.ends_run
    assert "claude-other has answered" in answer.reason


def test_a_run_without_batches_tells_of_those_under_way(
    api: Api, make_engine: Make, caplog: pytest.LogCaptureFixture
) -> None:
    engine = make_engine(batch=True)
    killed_in(engine, "batch")
    with pytest.raises(KilledError):
        engine.generate(PROMPTS, 384)
    make_engine()
    assert "an earlier run has batches under way; `batch: true` collects them" in caplog.text


def test_a_damaged_note_names_its_file(api: Api, make_engine: Make, tmp_path: Path) -> None:
    make_engine(batch=True).generate(PROMPTS, 384)
    (path,) = (tmp_path / "api" / "batches" / "claude-sonnet-4.6").glob("*.json")
    path.write_text("{")
    with pytest.raises(InputError, match=rf"{path.name}: cannot read the note of a batch under way"):
        make_engine(batch=True).generate(PROMPTS, 384)
