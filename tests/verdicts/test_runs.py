"""Judging what is missing: what is asked, in which order, what is recorded, and what a run tells its user."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from tests.verdicts.making import CHAT, JUDGE, FakeEngine, benchmark, items, run
from verdicts.frames import render
from verdicts.plan import Member, Settings
from verdicts.records.canonical import sha256_text
from verdicts.records.schema import Distribution, Verdict
from verdicts.runs import condition_of, judge_missing, requests_of
from verdicts.store import Store

GENERATIVE, CONSTRAINED = Member("small", "generative"), Member("small", "constrained")
SETTINGS = Settings(batch_size=2, context=512)
TOY = (benchmark("toy"), items(10))
QA = (benchmark("qa", "def_on"), items(4, "qa"))


def judge(
    store: Store,
    engine: FakeEngine,
    members: tuple[Member, ...] = (GENERATIVE,),
    benchmarks: Any = (TOY,),
    settings: Settings = SETTINGS,
    name: str = "run",
    chat: Mapping[str, Any] | None = CHAT,
) -> int:
    return judge_missing(
        store, [(m, JUDGE, chat) for m in members], benchmarks, settings, run(name), lambda: engine
    )


def records(store: Store, member: Member = GENERATIVE, bench: Any = TOY[0]) -> dict[str, Any]:
    shard = store.shard(condition_of(member, JUDGE, CHAT, bench.frame, SETTINGS))
    return {record.item: record for record in shard.records()}


def test_every_item_is_recorded_with_what_was_asked(tmp_path: Path) -> None:
    store, engine = Store(tmp_path), FakeEngine(lambda prompt: f"{prompt[-3:]} VERDICT: HALLUCINATED")
    assert judge(store, engine) == 10
    found = records(store)
    for item in TOY[1]:
        prompt = render("claimcheck", TOY[0].task, item)
        record = found[item.content]
        assert record.prompt == sha256_text(prompt)
        assert record.value.reply == f"{prompt[-3:]} VERDICT: HALLUCINATED"
        assert record.value.verdict == 1
    assert sorted(engine.asked) == sorted(render("claimcheck", TOY[0].task, item) for item in TOY[1])


def test_provenance_is_the_engines(tmp_path: Path) -> None:
    judge(Store(tmp_path), FakeEngine())
    (made,) = (r for shard in Store(tmp_path).shards() for r in shard.runs())
    assert (made.engine, made.hardware) == ("fake", "none")
    assert made.versions == {"python": "3", "fake": "1"}
    assert {record.run for record in records(Store(tmp_path)).values()} == {made.run}


def test_only_what_is_missing_is_asked(tmp_path: Path) -> None:
    store, first, second = Store(tmp_path), FakeEngine(), FakeEngine()
    judge(store, first, benchmarks=[(TOY[0], TOY[1][:6])])
    assert judge(store, second, name="later") == 4
    assert not set(first.asked) & set(second.asked)
    assert len(records(store)) == 10


def test_a_member_judges_its_benchmarks_alone(tmp_path: Path) -> None:
    engine = FakeEngine()
    only_qa = Member("small", "generative", ("qa",))
    assert judge(Store(tmp_path), engine, (only_qa, CONSTRAINED), (TOY, QA)) == 4 + 10 + 4


def test_benchmarks_come_in_the_order_given(tmp_path: Path) -> None:
    engine = FakeEngine()
    judge(Store(tmp_path), engine, benchmarks=(QA, TOY))
    assert all("qa claim" in prompt for prompt in engine.asked[:4])


def test_prompts_over_one_document_are_asked_together(tmp_path: Path) -> None:
    """Items come shuffled; the judge gets them by document."""
    engine = FakeEngine()
    shuffled = [*TOY[1][::2], *TOY[1][1::2]]
    judge(Store(tmp_path), engine, benchmarks=[(TOY[0], shuffled)])
    documents = [prompt.split("# Document\n")[1].split("\n")[0] for prompt in engine.asked]
    assert documents == sorted(documents)
    # A call is a batch: what a kill repeats at most.
    assert engine.batches == [2] * 5


@pytest.mark.parametrize(
    "change",
    [{"dtype": "bfloat16"}, {"context": 400}, {"max_new_tokens": 10}],
)
def test_another_setting_is_another_record(tmp_path: Path, change: dict[str, Any]) -> None:
    store = Store(tmp_path)
    judge(store, FakeEngine())
    assert judge(store, FakeEngine(), settings=replace(SETTINGS, **change), name="changed") == 10
    assert len(list(store.shards())) == 2


@pytest.mark.parametrize("change", [{"batch_size": 5}, {"dtype": "float32"}, {"context": 9000}])
def test_settings_that_change_no_answer_are_no_new_question(tmp_path: Path, change: dict[str, Any]) -> None:
    """The batch size; the judge's own dtype, spelled out; a context beyond the judge's."""
    store = Store(tmp_path)
    judge(store, FakeEngine())
    assert judge(store, FakeEngine(), settings=replace(SETTINGS, **change), name="same") == 0


def test_another_template_is_another_record(tmp_path: Path) -> None:
    store = Store(tmp_path)
    judge(store, FakeEngine())
    other = {"template": sha256_text("another"), "kwargs": {}}
    assert judge(store, FakeEngine(), name="other", chat=other) == 10
    assert judge(store, FakeEngine(), name="none", chat=None) == 10


def test_benchmarks_of_one_frame_share_a_shard(tmp_path: Path) -> None:
    store = Store(tmp_path)
    judge(store, FakeEngine(), benchmarks=(TOY, (benchmark("more"), items(4, "more")), QA))
    assert sorted(len(list(shard.records())) for shard in store.shards()) == [4, 14]


def test_a_prompt_that_does_not_fit_is_an_abstention(tmp_path: Path) -> None:
    store = Store(tmp_path)
    judge(store, FakeEngine(lambda prompt: None))
    for record in records(store).values():
        value = record.value
        assert (value.verdict, value.rule, value.finish, value.reply_tokens) == (
            None,
            "overflow",
            "overflow",
            0,
        )
        assert value.prompt_tokens > 0


def test_empty_replies_are_abstentions_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        judge(
            Store(tmp_path), FakeEngine(lambda prompt: " \n" if "claim 3" in prompt else "VERDICT: SUPPORTED")
        )
    assert [r.value.rule for r in records(Store(tmp_path)).values()].count("empty") == 1
    assert "toy, small.generative: no verdict on 1 of 10: empty 1" in caplog.messages
    assert any("8 of 10" in message and "min left" in message for message in caplog.messages)


def test_values_are_of_the_members_kind(tmp_path: Path) -> None:
    store = Store(tmp_path)
    judge(store, FakeEngine(), (GENERATIVE, CONSTRAINED))
    assert {type(r.value) for r in records(store).values()} == {Verdict}
    scored = records(store, CONSTRAINED)
    assert {type(r.value) for r in scored.values()} == {Distribution}
    assert all(r.value.probabilities[0] != r.value.probabilities[1] for r in scored.values())


def test_an_engine_that_stops_loses_nothing(tmp_path: Path) -> None:
    """Out of memory in the second call: the first call's answers are in the store, and sealed by the next run."""
    store, calls = Store(tmp_path), []

    def reply(prompt: str) -> str:
        calls.append(prompt)
        if len(calls) > 8:
            raise InputError("a prompt does not fit the memory")
        return "VERDICT: SUPPORTED"

    with pytest.raises(InputError, match="does not fit"):
        judge(store, FakeEngine(reply))
    assert len(records(store)) == 8
    assert judge(store, FakeEngine(), name="again") == 2


def test_an_engine_that_answers_too_few_is_an_error(tmp_path: Path) -> None:
    engine = FakeEngine()
    really = engine.generate
    engine.generate = lambda prompts, new: really(prompts, new)[:-1]  # type: ignore[method-assign]
    with pytest.raises(ValueError, match="shorter"):
        judge(Store(tmp_path), engine)
    assert records(Store(tmp_path)) == {}


def test_an_unknown_protocol_lists_the_known(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown protocol 'votes'; choose one of: generative, constrained"):
        judge(Store(tmp_path), FakeEngine(), (Member("small", "votes"),))


def test_requests_are_of_the_items_in_their_order() -> None:
    condition = condition_of(GENERATIVE, JUDGE, CHAT, "claimcheck", SETTINGS)
    requests = requests_of(condition, *TOY)
    assert [request.item for request in requests] == [item.content for item in TOY[1]]
    assert all(
        request.key == condition.key(request.item, sha256_text(request.prompt)) for request in requests
    )
    assert condition.frame == "claimcheck/1"
