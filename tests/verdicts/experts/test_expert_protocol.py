"""Experts through the chain: what they are asked, what their numbers become, what a plan may say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from tests.verdicts.making import CHAT, JUDGE, FakeEngine, plan_of, run
from verdicts.engines.base import Overflow, Rating
from verdicts.experts.experts import find, request
from verdicts.judges import roster
from verdicts.plan import Member, Settings
from verdicts.protocols import protocol
from verdicts.protocols.expert import ExpertProtocol, ask
from verdicts.records.schema import Condition, Distribution
from verdicts.runs import judge_missing
from verdicts.scores.items import ScoreItem
from verdicts.scores.registry import score_datasets
from verdicts.store import Store

ITEM = ScoreItem("a", 1, 0.5, " The source. ", " The candidate. ", "coherence")
REFERRED = replace(ITEM, uid="b", reference=" The reference. ", candidate="Another.")
EXPERTS = sorted(name for name, judge in roster.roster().items() if judge.role == "expert")


class Rater(FakeEngine):
    """Rates by the candidate's length."""

    def __init__(self, *ratings: Rating | Overflow) -> None:
        super().__init__()
        self._ratings = list(ratings)
        self.requests: list[Mapping[str, str]] = []

    def rate(self, requests: Sequence[Mapping[str, str]]) -> Sequence[Rating | Overflow]:
        self.requests += requests
        return self._ratings or [Rating(0.25, len(request["candidate"])) for request in requests]


def condition(name: str, top: int = 5) -> Condition:
    judge = replace(roster.find(name), revision="0" * 40)
    chat = CHAT if judge.chat else None
    return ExpertProtocol(top).condition(judge, "summarization", chat, Settings(context=64))


def test_what_each_expert_reads() -> None:
    assert json.loads(request("bertscore/1", ITEM) or "") == {
        "candidate": "The candidate.",
        "reference": "The source.",
    }
    assert json.loads(request("bertscore/1", REFERRED) or "")["reference"] == "The reference."
    assert json.loads(request("reward/1", ITEM) or "") == {
        "request": "The source.",
        "response": "The candidate.",
    }
    assert json.loads(request("comet/1", REFERRED) or "") == {
        "candidate": "Another.",
        "reference": "The reference.",
        "source": "The source.",
    }
    assert request("comet/1", ITEM) is None
    assert request("bertscore/1", replace(ITEM, source=" ")) is None
    with pytest.raises(InputError, match="no expert 'abacus'; choose one of: bertscore, reward, comet"):
        find("abacus")


@pytest.mark.parametrize("name", EXPERTS)
def test_conditions_say_everything_that_can_change_a_number(name: str) -> None:
    judge = roster.find(name)
    made = condition(name)
    assert made.frame == f"{judge.adapter}/1"
    assert made.labels == ("1", "2", "3", "4", "5")
    # An expert's window is its own, whatever the plan's.
    assert made.decoding == {
        "mode": "expert",
        "scale": find(judge.adapter).scale,
        **judge.options,
        "context": judge.context,
        "truncation": find(judge.adapter).cut,
        "dtype": judge.dtype,
    }
    assert len({condition(name, top).digest for top in (5, 10)}) == 2
    assert judge.engine == judge.adapter


def test_numbers_become_the_two_labels_around_them() -> None:
    rater = Rater(Rating(0.625, 9, 3), Rating(float("nan"), 4), Overflow(900))
    made = condition("comet-22")
    found = ask(rater, ['{"candidate":"x"}'] * 3, made)
    assert found[0] == Distribution((0, 0, 0.5, 0.5, 0), None, "decoded", "rated", 9, 3, score=0.625)
    assert found[1] == Distribution(None, None, "decoded", "not_finite", 4)
    assert found[2] == Distribution(None, None, "decoded", "overflow", 900)
    assert rater.requests == [{"candidate": "x"}] * 3


def test_the_baseline_is_taken_off_before_the_map() -> None:
    made = condition("bertscore")
    base = made.decoding["baseline"]
    (found,) = ask(Rater(Rating(base + (1 - base) / 2, 9)), ["{}"], made)
    assert found.probabilities == pytest.approx((0, 0, 1, 0, 0), abs=1e-9)
    assert found.score == base + (1 - base) / 2


def test_another_engine_or_judge_is_refused() -> None:
    with pytest.raises(InputError, match="the fake engine gives no ratings"):
        ask(FakeEngine(), ["{}"], condition("comet-22"))
    with pytest.raises(InputError, match="small is no expert"):
        ExpertProtocol(5).condition(JUDGE, "summarization", None, Settings())
    with pytest.raises(ValueError, match="shorter"):
        ask(Rater(Rating(0.5, 1)), ["{}", "{}"], condition("comet-22"))


def test_names() -> None:
    assert ExpertProtocol.parse("expert-1-10") == ExpertProtocol(10)
    assert ExpertProtocol.parse("expert-1-6") is None
    assert ExpertProtocol.parse("probabilities-1-5") is None
    assert protocol("expert-1-10")[1] is ask


SECTION: dict[str, Any] = {
    "suite": "mini",
    "benchmarks": ["summeval"],
}


def test_a_plan_with_an_expert() -> None:
    plan = plan_of({**SECTION, "members": [{"judge": "bertscore", "protocol": "expert-1-10"}]})
    assert plan.members == (Member("bertscore", "expert-1-10"),)


@pytest.mark.parametrize(
    ("judge", "wrong", "message"),
    [
        ("bertscore", "probabilities-1-5", "give bertscore a protocol such as expert-1-10"),
        ("smollm2-135m", "expert-1-5", "give smollm2-135m a protocol of judges that are asked in words"),
    ],
    ids=["expert", "judge"],
)
def test_experts_and_judges_are_not_mistaken_for_each_other(judge: str, wrong: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        plan_of({**SECTION, "members": [{"judge": judge, "protocol": wrong}]})


def test_from_items_to_records(tmp_path: Path) -> None:
    """Through the ordinary run: an item without a reference is not asked of COMET, and has no record."""
    dataset = score_datasets()["summeval"]
    store, settings = Store(tmp_path), Settings(batch_size=2)
    judge = replace(roster.find("comet-22"), revision="0" * 40)
    rater = Rater()
    member = Member("comet-22", "expert-1-5")
    made = judge_missing(
        store, [(member, judge, None)], [(dataset, [ITEM, REFERRED])], settings, run(), lambda: rater
    )
    assert made == 1
    condition_made = ExpertProtocol(5).condition(judge, dataset.frame, None, settings)
    (record,) = store.shard(condition_made).records()
    assert record.item == REFERRED.content
    assert isinstance(record.value, Distribution)
    assert record.value.score == 0.25
    assert record.value.probabilities == (0.0, 1.0, 0.0, 0.0, 0.0)
