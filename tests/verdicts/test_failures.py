"""Prompts that got no answer: never recorded, always told, asked again; and engines that end a run."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import pytest

from raim.errors import InputError
from tests.verdicts.making import CHAT, JUDGE, FakeEngine, benchmark, items, run
from verdicts.engines.base import Failed, Overflow, Reply
from verdicts.plan import Member, Settings
from verdicts.protocols import generative
from verdicts.runs import judge_missing
from verdicts.store import Store

MEMBER = Member("small", "generative")
SETTINGS = Settings(batch_size=1, context=512)
TOY, MORE = (benchmark("toy"), items(10)), (benchmark("more"), items(4, "more"))


class Served(FakeEngine):
    """Answers in calls of three, but for the prompts that hold a word, which get what ``failed`` says."""

    call_size = 3

    def __init__(self, word: str, failed: Failed) -> None:
        super().__init__()
        self._word, self._failed = word, failed
        self.closed = 0

    def generate(self, prompts: Sequence[str], max_new_tokens: int) -> Sequence[Reply | Overflow | Failed]:  # type: ignore[override]
        answers = super().generate(prompts, max_new_tokens)
        return [
            self._failed if self._word in prompt else answer
            for prompt, answer in zip(prompts, answers, strict=True)
        ]

    def close(self) -> None:
        self.closed += 1


def judge(store: Store, engine: FakeEngine, name: str = "run") -> int:
    return judge_missing(store, [(MEMBER, JUDGE, CHAT)], [TOY, MORE], SETTINGS, run(name), lambda: engine)


def recorded(store: Store) -> int:
    return sum(len(list(shard.records())) for shard in store.shards())


def test_what_got_no_answer_is_told_and_asked_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store, engine = Store(tmp_path), Served("toy claim 3", Failed("HTTP 500 eight times"))
    with pytest.raises(InputError, match=r"1 item got no answer.*run this again.*\(13 records were made\)"):
        judge(store, engine)
    assert recorded(store) == 13
    (line,) = [message for message in caplog.messages if "no answer" in message]
    assert line.startswith("toy, small.generative: toy:3 (key ")
    assert line.endswith("no answer: HTTP 500 eight times")
    assert engine.closed == 1
    # The calls are of the engine's size, whatever the plan's batches are.
    assert engine.batches == [3, 3, 3, 1, 3, 1]

    again = FakeEngine()
    assert judge(store, again, "again") == 1
    assert len(again.asked) == 1
    assert "toy claim 3" in again.asked[0]
    assert recorded(store) == 14


def test_an_engine_that_ends_the_run_keeps_what_it_has(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store, engine = (
        Store(tmp_path),
        Served("toy claim 5", Failed("the cap is reached; raise it", ends_run=True)),
    )
    with (
        caplog.at_level(logging.INFO),
        pytest.raises(InputError, match=r"the cap is reached; raise it \(5 records were made by this run"),
    ):
        judge(store, engine)
    assert recorded(store) == 5
    assert engine.batches == [3, 3]
    assert engine.closed == 1
    assert not any("no answer" in message for message in caplog.messages)
    assert judge(store, FakeEngine(), "again") == 9


def test_an_engine_is_closed_when_it_breaks(tmp_path: Path) -> None:
    engine = Served("", Failed(""))
    engine.generate = lambda prompts, new: 1 / 0  # type: ignore[method-assign,assignment,return-value]
    with pytest.raises(ZeroDivisionError):
        judge(Store(tmp_path), engine)
    assert engine.closed == 1


@pytest.mark.parametrize("finish", ["refusal", "unknown", "not_finite"])
def test_a_reply_that_is_no_answer_is_an_abstention_and_not_read(finish: str) -> None:
    class Refusing(FakeEngine):
        def generate(self, prompts: Sequence[str], max_new_tokens: int) -> list[Reply | Overflow]:
            return [Reply("VERDICT: SUPPORTED", finish, 9, 4)]  # type: ignore[arg-type]

    condition = generative.condition(JUDGE, "claimcheck/1", CHAT, SETTINGS)
    (value,) = generative.ask(Refusing(), ["prompt"], condition)
    assert not isinstance(value, Failed)
    assert (value.verdict, value.rule, value.finish) == (None, finish, finish)
    assert value.reply == "VERDICT: SUPPORTED"
