"""Protocols: what is asked of the engine, and what its answers become."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.verdicts.making import CHAT, JUDGE, FakeEngine
from verdicts.engines.base import LabelLogprobs, Overflow, Reply
from verdicts.plan import Settings
from verdicts.protocols import PROTOCOLS, constrained, generative
from verdicts.records.canonical import sha256_text
from verdicts.records.schema import Distribution, Verdict

SETTINGS = Settings(max_new_tokens=20)
GREEDY = generative.condition(JUDGE, "def_on/1", CHAT, SETTINGS)
SCORING = constrained.condition(JUDGE, "def_on/1", CHAT, SETTINGS)


def test_conditions_say_everything_that_can_change_an_answer() -> None:
    shared = {"context": 512, "truncation": "none", "dtype": "float32"}
    assert GREEDY.decoding == {"mode": "greedy", "max_new_tokens": 20, **shared}
    assert SCORING.decoding == {
        "mode": "constrained",
        "answer_prefix": "VERDICT:",
        "label_prefix": " ",
        **shared,
    }
    assert (GREEDY.kind, SCORING.kind) == ("verdict", "distribution")
    assert SCORING.labels == ("SUPPORTED", "HALLUCINATED")
    for condition in (GREEDY, SCORING):
        assert (condition.judge, condition.revision, condition.frame) == (
            JUDGE.judge,
            JUDGE.revision,
            "def_on/1",
        )
        assert condition.chat == CHAT


@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_judges_own_dtype_and_window_apply(name: str) -> None:
    make, _ = PROTOCOLS[name]
    half = replace(JUDGE, dtype="bfloat16", context=300, chat=False)
    assert make(half, "f/1", None, Settings()).decoding["dtype"] == "bfloat16"
    assert make(half, "f/1", None, Settings(dtype="float16")).decoding["dtype"] == "float16"
    assert make(half, "f/1", None, Settings(context=8192)).decoding["context"] == 300
    assert make(half, "f/1", None, Settings(context=200)).decoding["context"] == 200


class Answering(FakeEngine):
    """Gives prepared answers and keeps what it was asked."""

    def __init__(self, *answers: Reply | LabelLogprobs | Overflow) -> None:
        super().__init__()
        self._answers = list(answers)
        self.request: tuple[object, ...] = ()

    def generate(self, prompts, max_new_tokens):  # type: ignore[no-untyped-def]
        self.request = (list(prompts), max_new_tokens)
        return self._answers

    def score(self, prompts, prefix, labels):  # type: ignore[no-untyped-def]
        self.request = (list(prompts), prefix, list(labels))
        return self._answers


def test_a_reply_becomes_a_verdict() -> None:
    engine = Answering(Reply("So.\nVERDICT: HALLUCINATED", "stop", 50, 9))
    assert generative.ask(engine, ["prompt"], GREEDY) == [
        Verdict(
            1,
            "verdict_line",
            "stop",
            50,
            9,
            sha256_text("So.\nVERDICT: HALLUCINATED"),
            reply="So.\nVERDICT: HALLUCINATED",
        )
    ]
    assert engine.request == (["prompt"], 20)


@pytest.mark.parametrize(
    ("answer", "verdict", "rule", "finish"),
    [
        (Reply("VERDICT: SUPPORTED", "length", 5, 20), 0, "verdict_line", "length"),
        (Reply("it is hallucinated", "stop", 5, 4), 1, "tail", "stop"),
        (Reply("who knows", "stop", 5, 2), None, "unparsed", "stop"),
        (Reply("", "stop", 5, 1), None, "empty", "stop"),
        (Reply("VERDICT: SUPP", "not_finite", 5, 3), None, "not_finite", "not_finite"),
        (Overflow(9000), None, "overflow", "overflow"),
    ],
)
def test_every_answer_has_a_verdict_or_a_reason(
    answer: Reply | Overflow, verdict: int | None, rule: str, finish: str
) -> None:
    (found,) = generative.ask(Answering(answer), ["prompt"], GREEDY)
    assert (found.verdict, found.rule, found.finish) == (verdict, rule, finish)
    assert found.prompt_tokens == answer.prompt_tokens
    assert found.reply_sha256 == sha256_text(found.reply or "")


def test_the_prompt_is_never_parsed() -> None:
    """A prompt that holds the contract, an engine that says nothing: no verdict."""
    (found,) = generative.ask(Answering(Reply("", "stop", 9, 1)), ["VERDICT: HALLUCINATED"], GREEDY)
    assert found.verdict is None


def test_label_logprobs_become_probabilities_in_label_order() -> None:
    logprobs = ((math.log(0.5), math.log(0.2)), (math.log(0.3),))
    engine = Answering(LabelLogprobs(logprobs, ((7, 8), (9,)), 40))
    (found,) = constrained.ask(engine, ["prompt"], SCORING)
    assert found.probabilities == pytest.approx((0.25, 0.75))
    assert found.off_label_mass == pytest.approx(0.6)
    assert (found.score_source, found.rule, found.prompt_tokens) == ("token_probabilities", "scored", 40)
    assert engine.request == (["prompt"], "VERDICT:", [" SUPPORTED", " HALLUCINATED"])


def test_a_prompt_that_does_not_fit_has_no_distribution() -> None:
    (found,) = constrained.ask(Answering(Overflow(9000)), ["prompt"], SCORING)
    assert found == Distribution(None, None, "token_probabilities", "overflow", 9000)


def test_logits_that_are_no_numbers_have_no_distribution() -> None:
    nan = LabelLogprobs(((math.nan,), (math.nan,)), ((7,), (9,)), 40)
    (found,) = constrained.ask(Answering(nan), ["prompt"], SCORING)
    assert (found.probabilities, found.off_label_mass, found.rule) == (None, None, "not_finite")
