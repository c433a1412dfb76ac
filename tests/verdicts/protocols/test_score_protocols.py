"""Protocols of scores: what is asked of the engine, what its answers become, and that none stands in for another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from raim.errors import InputError
from tests.verdicts.making import CHAT, JUDGE, FakeEngine
from verdicts.engines.base import Failed, LabelLogprobs, Overflow, Reply
from verdicts.plan import Settings
from verdicts.protocols import protocol, scores
from verdicts.records.schema import Condition, Distribution
from verdicts.scores.templates import STYLES

SETTINGS = Settings(max_new_tokens=20, samples=4, temperature=0.7, seed=11)


def condition(name: str, chat: Any = CHAT, settings: Settings = SETTINGS) -> Condition:
    make, ask = protocol(name)
    assert ask is scores.ask
    return make(JUDGE, "summarization/1", chat, settings)


class Answering(FakeEngine):
    """Gives prepared answers and keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        super().__init__()
        self._answers = list(answers)
        self.request: tuple[Any, ...] = ()

    def generate(self, prompts: Sequence[str], max_new_tokens: int) -> Any:
        self.request = ("generate", list(prompts), max_new_tokens)
        return self._answers

    def sample(self, prompts: Sequence[str], max_new_tokens: int, **options: Any) -> Any:
        self.request = ("sample", list(prompts), max_new_tokens, options)
        return self._answers

    def score(self, prompts: Sequence[str], prefix: str, labels: Sequence[str]) -> Any:
        self.request = ("score", list(prompts), prefix, list(labels))
        return self._answers


def replies(*texts: str) -> list[Reply]:
    return [Reply(text, "stop", 30, 2) for text in texts]


def test_range_style_and_protocol_are_all_in_the_key() -> None:
    names = [
        f"{mode}-1-{top}{style}"
        for mode in ("probabilities", "samples", "decoded")
        for top in (3, 5, 7, 10, 100)
        for style in ("", "-rubric", "-critical")
    ]
    conditions = [condition(name) for name in names]
    assert len({made.digest for made in conditions}) == len(names) == 45
    assert {len(made.labels or ()) for made in conditions} == {3, 5, 7, 10, 100}
    assert {made.frame for made in conditions} == {f"summarization-{style}/1" for style in STYLES}
    assert {made.kind for made in conditions} == {"distribution"}
    assert condition("probabilities-1-5").labels == ("1", "2", "3", "4", "5")


@pytest.mark.parametrize(
    "change", [{"samples": 5}, {"temperature": 1.0}, {"seed": 12}, {"max_new_tokens": 21}], ids=str
)
def test_settings_of_samples_are_in_their_key_alone(change: dict[str, Any]) -> None:
    other = replace(SETTINGS, **change)
    assert condition("samples-1-5", settings=other).digest != condition("samples-1-5").digest
    assert condition("probabilities-1-5", settings=other).digest == condition("probabilities-1-5").digest
    same = condition("decoded-1-5", settings=other).digest == condition("decoded-1-5").digest
    assert same == ("max_new_tokens" not in change)


@pytest.mark.parametrize(
    "name", ["probabilities-1-4", "samples-0-5", "probabilities-1-5-default", "scores-1-5", "decoded"]
)
def test_an_unknown_protocol_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="such as probabilities-1-5"):
        protocol(name)


def test_probabilities_are_read_behind_the_answers_opening() -> None:
    made = condition("probabilities-1-3")
    logprobs = tuple((math.log(p),) for p in (0.1, 0.2, 0.3))
    engine = Answering(LabelLogprobs(logprobs, ((1,), (2,), (3,)), 40), Overflow(900), Failed("gone"))
    first, second, third = scores.ask(engine, ["p", "q", "r"], made)
    assert engine.request == ("score", ["p", "q", "r"], "Score: ", ["1", "2", "3"])
    assert isinstance(first, Distribution)
    assert first.probabilities == pytest.approx((1 / 6, 1 / 3, 1 / 2))
    assert first.off_label_mass == pytest.approx(0.4)
    assert (first.score_source, first.rule, first.replies) == ("token_probabilities", "scored", None)
    assert second == Distribution(None, None, "token_probabilities", "overflow", 900)
    assert third == Failed("gone")


def test_one_does_not_count_ten() -> None:
    """Digits are tokens of their own: '10' is '1' then '0', and its path is no part of '1'."""
    tokens = (*((digit,) for digit in range(1, 10)), (1, 0))
    logprobs = (*((math.log(0.1),) for _ in range(9)), (math.log(0.1), math.log(0.75)))
    (found,) = scores.ask(
        Answering(LabelLogprobs(logprobs, tokens, 9)), ["p"], condition("probabilities-1-10")
    )
    assert isinstance(found, Distribution)
    assert found.probabilities is not None
    assert found.probabilities[0] == pytest.approx(0.025 / 0.9)
    assert found.probabilities[9] == pytest.approx(0.075 / 0.9)
    assert found.off_label_mass == pytest.approx(0.1)


def test_labels_without_probabilities_fall_back_to_nothing() -> None:
    nan = LabelLogprobs(((math.nan,),) * 5, tuple((n,) for n in range(5)), 40)
    engine = Answering(nan)
    (found,) = scores.ask(engine, ["p"], condition("probabilities-1-5"))
    assert isinstance(found, Distribution)
    assert (found.probabilities, found.rule, found.score_source) == (
        None,
        "not_finite",
        "token_probabilities",
    )
    assert engine.request[0] == "score"


def test_samples_become_shares_and_the_unread_are_off_the_labels() -> None:
    engine = Answering(
        replies("4", "Score: 4", "I cannot say", "2"), Overflow(900), replies("no", "n", "", "?")
    )
    first, second, third = scores.ask(engine, ["p", "q", "r"], condition("samples-1-5"))
    assert engine.request == (
        "sample",
        ["p", "q", "r"],
        20,
        {"samples": 4, "temperature": 0.7, "seed": 11},
    )
    assert isinstance(first, Distribution)
    assert first.probabilities == pytest.approx((0, 1 / 3, 0, 2 / 3, 0))
    assert first.off_label_mass == pytest.approx(0.25)
    assert (first.score_source, first.rule) == ("samples", "scored")
    assert first.replies == ("4", "Score: 4", "I cannot say", "2")
    assert second == Distribution(None, None, "samples", "overflow", 900)
    assert isinstance(third, Distribution)
    assert (third.probabilities, third.off_label_mass, third.rule) == (None, 1.0, "unparsed")


@pytest.mark.parametrize(
    ("reply", "probabilities", "rule"),
    [
        (Reply("**3**", "stop", 30, 2), (0, 0, 1, 0, 0), "scored"),
        (Reply("It has 3 faults.", "length", 30, 2), None, "unparsed"),
        (Reply("", "stop", 30, 1), None, "unparsed"),
        (Reply("3", "not_finite", 30, 1), None, "not_finite"),
        (Reply("3", "refusal", 30, 1), None, "refusal"),
    ],
    ids=["read", "rationale", "empty", "not_finite", "refusal"],
)
def test_a_decoded_reply_is_one_score_or_none(reply: Reply, probabilities: Any, rule: str) -> None:
    engine = Answering(reply)
    (found,) = scores.ask(engine, ["p"], condition("decoded-1-5"))
    assert engine.request == ("generate", ["p"], 20)
    assert isinstance(found, Distribution)
    assert (found.probabilities, found.rule) == (probabilities, rule)
    assert (found.score_source, found.off_label_mass, found.replies) == ("decoded", None, (reply.text,))


@pytest.mark.parametrize("name", ["samples-1-5", "decoded-1-5"])
def test_a_base_checkpoint_has_its_answer_opened(name: str) -> None:
    made = condition(name, chat=None)
    assert made.decoding["answer_prefix"] == "Score: "
    assert made.digest != condition(name).digest
    engine = Answering(replies("4") if name.startswith("samples") else Reply("4", "stop", 3, 1))
    scores.ask(engine, ["prompt\n"], made)
    assert engine.request[1] == ["prompt\nScore: "]
