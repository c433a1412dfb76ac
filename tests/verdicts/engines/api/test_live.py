"""Requests one by one: what is sent, what comes back, what is tried again, what is told."""

from __future__ import annotations

import json
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from tests.verdicts.engines.api.conftest import Clock
from tests.verdicts.engines.api.server import KEY, MODEL, Answer, Api, Seen, error, message
from verdicts.engines.base import Failed, Overflow, Reply

pytest.importorskip("anthropic", reason="needs the package anthropic")
Make = Callable[..., Any]


def first(*answers: Answer) -> Callable[[Seen, int], Answer | None]:
    """Answers to the first tries of each prompt; then all is well."""
    return lambda seen, turn: answers[turn] if turn < len(answers) else None


def test_a_request_is_the_papers(api: Api, make_engine: Make) -> None:
    engine = make_engine()
    assert engine.generate(["What?\nVERDICT"], 384) == [Reply("VERDICT: SUPPORTED", "stop", 100, 10)]
    (seen,) = api.seen
    assert seen.body == {
        "model": MODEL,
        "max_tokens": 384,
        "temperature": 0.0,
        "messages": [{"role": "user", "content": "What?\nVERDICT"}],
    }
    assert seen.headers["anthropic-version"] == "2023-06-01"
    assert KEY in seen.headers["authorization"]
    assert engine.hardware == f"{api.url.removeprefix('http://')}, Messages"
    assert engine.versions()["model"] == MODEL
    assert engine.versions()["anthropic-version"] == "2023-06-01"


def test_answers_come_in_the_order_of_the_prompts(api: Api, make_engine: Make) -> None:
    """Late ones first: the answers still belong to their prompts, and no more are asked at once than is allowed."""
    gate = threading.Barrier(3)

    def behave(seen: Seen, turn: int) -> Answer:
        gate.wait(timeout=10)
        return Answer(body=message(f"about {seen.prompt}"))

    api.behave = behave
    prompts = [f"prompt {i}" for i in range(9)]
    answers = make_engine(concurrency=3).generate(prompts, 9)
    assert [answer.text for answer in answers] == [f"about {prompt}" for prompt in prompts]
    assert api.most_at_once == 3


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (message("so", "end_turn"), "so", "stop"),
        (message("so", "stop_sequence"), "so", "stop"),
        (message("so", "max_tokens"), "so", "length"),
        (message("so", "model_context_window_exceeded"), "so", "length"),
        (message("I can", "refusal"), "I can", "refusal"),
        (message("", "refusal"), "", "refusal"),
        (message("", "end_turn"), "", "stop"),
        (message("so", "pause_turn"), "so", "unknown"),
        (message("so", "of_next_year"), "so", "unknown"),
        (message("so", None), "so", "unknown"),
        (
            message(
                content=[
                    {"type": "of_next_year"},
                    {"type": "text", "text": "a"},
                    {"type": "text", "text": "b"},
                ]
            ),
            "ab",
            "stop",
        ),
    ],
    ids=lambda value: None if isinstance(value, dict) else str(value),
)
def test_every_way_to_stop_has_a_finish(
    api: Api, make_engine: Make, body: dict[str, Any], text: str, finish: str
) -> None:
    api.behave = lambda seen, turn: Answer(body=body)
    assert make_engine().generate(["p"], 9) == [Reply(text, finish, 100, 10)]


@pytest.mark.parametrize(
    ("answer", "waits", "told"),
    [
        (error(429, "rate_limit_error", retry_after="7"), [7.0], "HTTP 429, rate_limit_error: told so"),
        (error(529, "overloaded_error"), [(0.5, 1.0)], "HTTP 529, overloaded_error: told so"),
        (error(500, "api_error"), [(0.5, 1.0)], "HTTP 500, api_error: told so"),
        (Answer(503, raw=b"<html>bad gateway</html>"), [(0.5, 1.0)], "HTTP 503, error: no message"),
        (Answer(cut="status"), [(0.5, 1.0)], "no answer (RemoteProtocolError)"),
        (Answer(body=message(), cut="body"), [(0.5, 1.0)], "no answer (RemoteProtocolError)"),
        (Answer(raw=b'{"type": "mess'), [(0.5, 1.0)], "malformed answer: not JSON"),
        (Answer(raw=b'"text"'), [(0.5, 1.0)], "malformed answer: the body is not a message"),
        (Answer(body=message(usage=None)), [(0.5, 1.0)], "malformed answer: the message has no usage"),
    ],
    ids=["429", "529", "500", "503", "cut", "cut-in-body", "not-json", "no-object", "no-usage"],
)
def test_what_may_pass_is_tried_again_and_told(
    api: Api,
    make_engine: Make,
    clock: Clock,
    caplog: pytest.LogCaptureFixture,
    answer: Answer,
    waits: list[Any],
    told: str,
) -> None:
    api.behave = first(answer)
    engine = make_engine()
    with caplog.at_level(logging.INFO):
        assert engine.generate(["p"], 9) == [Reply("VERDICT: SUPPORTED", "stop", 100, 10)]
        engine.close()
    assert len(api.prompts()) == 2
    for slept, wait in zip(clock.slept, waits, strict=False):
        assert slept == wait if isinstance(wait, float) else wait[0] <= slept <= wait[1]
    assert any(f"{told}; try 2 of 8 in" in line for line in caplog.messages)
    assert any(f"tried again 1 times after: {told}" in line for line in caplog.messages)


def test_waits_double_and_end(api: Api, make_engine: Make, clock: Clock) -> None:
    api.behave = lambda seen, turn: error(500, "api_error")
    assert make_engine().generate(["p"], 9) == [Failed("HTTP 500, api_error: told so")]
    assert len(api.prompts()) == 8
    for number, slept in enumerate(clock.slept):
        assert min(2**number, 60) / 2 <= slept <= min(2**number, 60)
    assert len(clock.slept) == 7


def test_all_wait_where_the_api_asks_for_it(api: Api, make_engine: Make, clock: Clock) -> None:
    """One is told to wait a minute: the others, which have not been sent yet, wait as well."""
    api.behave = lambda seen, turn: (
        error(429, "rate_limit_error", retry_after="60") if (seen.prompt, turn) == ("p0", 0) else None
    )
    engine = make_engine(concurrency=1)
    assert all(isinstance(answer, Reply) for answer in engine.generate(["p0", "p1"], 9))
    assert clock.now == pytest.approx(60.0)


@pytest.mark.parametrize(("status", "kind"), [(400, "invalid_request_error"), (413, "request_too_large")])
def test_one_prompt_that_is_refused_is_not_tried_again(
    api: Api, make_engine: Make, clock: Clock, status: int, kind: str
) -> None:
    api.behave = lambda seen, turn: (
        error(status, kind, "no \x1b[31m such\nthing") if seen.prompt == "p1" else None
    )
    answers = make_engine().generate(["p0", "p1", "p2"], 9)
    assert answers[1] == Failed(f"HTTP {status}, {kind}: no \\x1b[31m such thing")
    assert isinstance(answers[0], Reply)
    assert isinstance(answers[2], Reply)
    assert sum(clock.slept) < 0.1
    assert len(api.prompts()) == 3


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (error(401, "authentication_error"), "HTTP 401"),
        (error(402, "billing_error"), "HTTP 402"),
        (error(403, "permission_error"), "HTTP 403"),
        (error(404, "not_found_error"), "HTTP 404"),
        (
            Answer(
                429,
                {
                    "type": "error",
                    "error": {
                        "type": "rate_limit_error",
                        "message": "spent",
                        "details": {"error_code": "enforced_spend_limit_reached"},
                    },
                },
            ),
            "rate_limit_error: spent",
        ),
    ],
    ids=["401", "402", "403", "404", "spend-limit"],
)
def test_what_every_request_would_meet_ends_the_run(
    api: Api, make_engine: Make, clock: Clock, answer: Answer, told: str
) -> None:
    api.behave = lambda seen, turn: answer
    engine = make_engine(concurrency=1)
    answers = engine.generate(["p0", "p1", "p2"], 9)
    assert {answer.ends_run for answer in answers} == {True}
    assert told in answers[0].reason
    assert "mend that and run this again" in answers[0].reason
    assert len(api.prompts()) == 1
    assert clock.slept == []
    assert engine.generate(["p3"], 9)[0].ends_run
    assert len(api.prompts()) == 1


def test_a_service_out_of_reach_ends_the_run(api: Api, make_engine: Make) -> None:
    api.behave = lambda seen, turn: error(529, "overloaded_error")
    answers = make_engine(concurrency=1).generate([f"p{i:02d}" for i in range(30)], 9)
    assert [answer.ends_run for answer in answers] == [False] * 9 + [True] * 21
    assert "10 requests in a row have failed" in answers[-1].reason
    assert len(api.prompts()) == 80


def test_refused_prompts_after_an_answer_do_not_end_the_run(api: Api, make_engine: Make) -> None:
    api.behave = lambda seen, turn: error(400, "invalid_request_error") if seen.prompt != "p00" else None
    answers = make_engine(concurrency=1).generate([f"p{i:02d}" for i in range(30)], 9)
    assert not any(isinstance(answer, Failed) and answer.ends_run for answer in answers)


def test_another_model_than_was_asked_for_is_an_error(api: Api, make_engine: Make) -> None:
    api.behave = lambda seen, turn: Answer(body=message(model="claude-sonnet-4-6-20260101"))
    (answer,) = make_engine().generate(["p"], 9)
    assert answer.ends_run
    assert "claude-sonnet-4-6-20260101 has answered: nothing of it is recorded" in answer.reason


def test_a_prompt_that_does_not_fit_is_not_asked(api: Api, make_engine: Make) -> None:
    """Counted only where its bytes could be too many tokens."""
    engine = make_engine(context=100)
    long, longer = "word " * 20, "word " * 95
    assert engine.generate(["short", long, longer], 10) == [
        Reply("VERDICT: SUPPORTED", "stop", 100, 10),
        Reply("VERDICT: SUPPORTED", "stop", 100, 10),
        Overflow(95),
    ]
    assert sorted(seen.path for seen in api.seen) == [
        "/v1/messages",
        "/v1/messages",
        "/v1/messages/count_tokens",
        "/v1/messages/count_tokens",
    ]


def test_samples_are_requests_of_their_own(api: Api, make_engine: Make) -> None:
    api.behave = lambda seen, turn: (
        error(400, "invalid_request_error") if seen.prompt == "b" else Answer(body=message(f"{turn}"))
    )
    engine = make_engine(concurrency=1)
    drawn = engine.sample(["a", "b"], 9, samples=3, temperature=0.7, seed=0)
    assert [reply.text for reply in drawn[0]] == ["0", "1", "2"]
    assert isinstance(drawn[1], Failed)
    assert {seen.body["temperature"] for seen in api.seen} == {0.7}
    with pytest.raises(InputError, match=r"temperature of 1\.5 is above 1"):
        engine.sample(["a"], 9, samples=1, temperature=1.5, seed=0)


def test_there_are_no_probabilities(api: Api, make_engine: Make) -> None:
    with pytest.raises(InputError, match="exposes no log-probabilities"):
        make_engine().score(["p"], "VERDICT:", ["A", "B"])
    assert api.seen == []


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Python's own handling of an interrupt, which a shell takes from the commands that it runs in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_keeps_what_was_answered(api: Api, make_engine: Make) -> None:
    """The request under way is waited for: it is paid for. Those that wait are not sent."""
    engine = make_engine(concurrency=1)

    def behave(seen: Seen, turn: int) -> None:
        if seen.prompt == "p02":
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            engine._stop.wait(10)

    api.behave = behave
    answers = engine.generate([f"p{i:02d}" for i in range(6)], 9)
    assert [isinstance(answer, Reply) for answer in answers] == [True] * 3 + [False] * 3
    assert all(answer.ends_run and "interrupted; run this again" in answer.reason for answer in answers[3:])
    assert api.prompts() == ["p00", "p01", "p02"]


DOCUMENT = "# Document\n" + "A sentence of the document that is long enough.\n" * 100


def test_a_shared_document_is_cached_once_it_is_there(api: Api, make_engine: Make) -> None:
    """The first of the group is answered before the others are sent; the blocks joined are the prompt."""
    order: list[str] = []

    def behave(seen: Seen, turn: int) -> None:
        order.append(seen.prompt)

    api.behave = behave
    prompts = [f"{DOCUMENT}\n# Claim\nclaim {i}\n" for i in range(4)] + [
        "# Document\nAnother.\n# Claim\nalone\n"
    ]
    make_engine(concurrency=5).generate(prompts, 9)
    assert sorted(api.prompts()) == sorted(prompts)
    shared = [seen for seen in api.seen if seen.prompt.startswith(DOCUMENT)]
    for seen in shared:
        (turn,) = seen.body["messages"]
        head, tail = turn["content"]
        assert head == {
            "type": "text",
            "text": f"{DOCUMENT}\n# Claim\n",
            "cache_control": {"type": "ephemeral"},
        }
        assert set(tail) == {"type", "text"}
    assert isinstance(api.seen[order.index(prompts[4])].body["messages"][0]["content"], str)
    assert min(order.index(prompt) for prompt in prompts[1:4]) > order.index(prompts[0])


def test_caching_can_be_left_out(api: Api, make_engine: Make) -> None:
    make_engine(cache=False).generate([f"{DOCUMENT}{i}" for i in range(2)], 9)
    assert all(isinstance(seen.body["messages"][0]["content"], str) for seen in api.seen)


@pytest.mark.parametrize(
    ("key", "told"),
    [(None, "is not set"), ("  ", "is not set"), (f"{KEY}\n{KEY}", "holds blanks"), ("clé", "holds")],
)
def test_the_key_is_of_the_environment(
    api: Api, make_engine: Make, monkeypatch: pytest.MonkeyPatch, key: str | None, told: str
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another way in")
    if key is not None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    with pytest.raises(InputError, match=f"ANTHROPIC_API_KEY {told}") as caught:
        make_engine()
    assert KEY not in str(caught.value)


def test_the_key_is_nowhere(
    api: Api, make_engine: Make, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that quotes the key in its errors, logs of every library at their most talkative."""
    api.behave = lambda seen, turn: error(
        [500, 400, 401][int(seen.prompt)] if turn == 0 else 400, "api_error", f"not {KEY}!"
    )
    engine = make_engine(concurrency=1)
    with caplog.at_level(logging.DEBUG):
        answers = engine.generate(["0", "1", "2"], 9)
        engine.close()
    assert "not [key]!" in answers[0].reason
    written = caplog.text + repr(answers) + repr(engine.versions()) + engine.hardware
    written += "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY not in written
    assert len(caplog.text) > 1000


def test_the_ledger_says_what_each_response_cost(
    api: Api, make_engine: Make, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    usage = {
        "input_tokens": 1000,
        "output_tokens": 100,
        "cache_creation_input_tokens": 2000,
        "cache_read_input_tokens": 4000,
    }
    api.behave = lambda seen, turn: Answer(body=message(usage=usage))
    engine = make_engine()
    with caplog.at_level(logging.INFO):
        assert engine.generate(["p"], 384)[0].prompt_tokens == 7000
        engine.close()
    (line,) = (tmp_path / "api" / "claude-sonnet-4.6.ledger.jsonl").read_text().splitlines()
    entry = json.loads(line)
    # 1,000 at 3, 100 at 15, 2,000 at 3.75 and 4,000 at 0.30 USD a million.
    assert entry["usd"] == pytest.approx(0.003 + 0.0015 + 0.0075 + 0.0012)
    assert (entry["input"], entry["output"], entry["cache_write"], entry["cache_read"]) == (
        1000,
        100,
        2000,
        4000,
    )
    assert entry["id"].startswith("msg_")
    assert entry["model"] == MODEL
    assert "1 responses; tokens: input 1,000, output 100, cache write 2,000, cache read 4,000" in caplog.text
    assert "0.0132 USD in this run; 0.0132 USD in all" in caplog.text


def test_prices_of_the_plan_come_before_the_rosters(api: Api, make_engine: Make, tmp_path: Path) -> None:
    make_engine(usd_per_million={"input": 30.0}).generate(["p"], 384)
    (line,) = (tmp_path / "api" / "claude-sonnet-4.6.ledger.jsonl").read_text().splitlines()
    assert json.loads(line)["usd"] == pytest.approx(100 * 30e-6 + 10 * 15e-6)


def test_what_breaks_off_may_have_been_billed(api: Api, make_engine: Make, tmp_path: Path) -> None:
    api.behave = first(Answer(cut="status"))
    make_engine().generate(["p"], 384)
    lost, answered = map(
        json.loads, (tmp_path / "api" / "claude-sonnet-4.6.ledger.jsonl").read_text().splitlines()
    )
    assert (lost["estimated"], answered["estimated"]) == (True, False)
    assert lost["usd"] == pytest.approx(33 * 3e-6 + 384 * 15e-6)


def test_the_cap_is_never_passed(api: Api, make_engine: Make, tmp_path: Path) -> None:
    """Each request can cost 0.00586 USD and does cost 0.00045: the cap allows ten or so of twenty."""
    cap = 0.0105
    prompts = [f"p{i:02d}" for i in range(20)]
    engine = make_engine(max_usd=cap, concurrency=4)
    answers = engine.generate(prompts, 384)
    replies = [answer for answer in answers if isinstance(answer, Reply)]
    ended = [answer for answer in answers if isinstance(answer, Failed)]
    assert len(replies) == len(api.prompts()) == 11
    assert all(answer.ends_run for answer in ended)
    assert "spending cap of 0.01 USD" in ended[0].reason
    assert "raise `max_usd` and run this again" in ended[0].reason
    ledger = (tmp_path / "api" / "claude-sonnet-4.6.ledger.jsonl").read_text().splitlines()
    assert sum(json.loads(line)["usd"] for line in ledger) <= cap

    # The cap counts all runs of the store.
    (again,) = make_engine(max_usd=cap).generate(["p19"], 384)
    assert again.ends_run
    assert len(api.prompts()) == 11
    assert isinstance(make_engine(max_usd=1.0).generate(["p19"], 384)[0], Reply)


@pytest.mark.parametrize("name", ["decoded-1-5", "samples-1-5"])
def test_scores_are_read_from_replies(api: Api, make_engine: Make, name: str) -> None:
    """The prompt is a user's message like any other judge's that chats: the answer is not opened in it."""
    from verdicts.judges.roster import find
    from verdicts.plan import Settings
    from verdicts.protocols import protocol
    from verdicts.scores.templates import ANSWER_PREFIX

    api.behave = lambda seen, turn: Answer(body=message(f"{ANSWER_PREFIX} 4"))
    condition_of, ask = protocol(name)
    condition = condition_of(find("claude-sonnet-4.6"), "summary/1", None, Settings(samples=3))
    (value,) = ask(make_engine(), ["prompt"], condition)
    assert not isinstance(value, Failed)
    assert value.probabilities == (0.0, 0.0, 0.0, 1.0, 0.0)
    assert set(api.prompts()) == {"prompt"}
    assert len(api.prompts()) == (3 if name.startswith("samples") else 1)
