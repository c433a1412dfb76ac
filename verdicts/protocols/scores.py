"""Scores in a range (JudgeMoE, sections 3.1 and 4.3): by probabilities of the labels, by samples, or by one reply.

A protocol's name says how a score is had, its range and, unless it is the default, its style:
``probabilities-1-5``, ``samples-1-10``, ``decoded-1-5-critical``. All of it enters the record's key. None of the three
ever stands in for another: where labels have no probabilities there is no distribution.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from verdicts.engines.base import Engine, Failed, Overflow, Reply
from verdicts.judges.roster import Judge
from verdicts.plan import Settings
from verdicts.protocols.constrained import distribution
from verdicts.protocols.truncation import fitted, truncation_of
from verdicts.records.schema import Condition, Distribution
from verdicts.scores.reading import read_replies
from verdicts.scores.templates import ANSWER_PREFIX, STYLES, frame_of

Mode = Literal["probabilities", "samples", "decoded"]

#: The score ranges of section 4.3; all start at 1.
TOPS = (3, 5, 7, 10, 100)

#: Tokens kept free for the answer's opening and the longest label, where prompts are truncated.
_RESERVE = 16

_NAME = re.compile(
    rf"(?P<mode>probabilities|samples|decoded)-1-(?P<top>{'|'.join(map(str, TOPS))})"
    rf"(?:-(?P<style>{'|'.join(style for style in STYLES if style != 'default')}))?"
)


@dataclass(frozen=True)
class ScoreProtocol:
    """How a score is had, from 1 to ``top``, in a style of the prompts."""

    mode: Mode
    top: int
    style: str

    @classmethod
    def parse(cls, name: str) -> ScoreProtocol | None:
        """The protocol of a name; None where it is not one of scores."""
        match = _NAME.fullmatch(name)
        if match is None:
            return None
        return cls(cast(Mode, match["mode"]), int(match["top"]), match["style"] or "default")

    def condition(
        self, judge: Judge, frame: str, chat: Mapping[str, Any] | None, settings: Settings
    ) -> Condition:
        """The condition under a family's prompt; ``frame`` is the family, whatever version stands behind it."""
        decoding: dict[str, Any] = {"mode": self.mode}
        if self.mode == "probabilities":
            decoding |= {"answer_prefix": ANSWER_PREFIX, "label_prefix": ""}
        else:
            # A checkpoint without a chat template goes on with the prompt: the answer is opened for it.
            goes_on = chat is None and judge.weights.kind != "api"
            decoding |= {"answer_prefix": ANSWER_PREFIX if goes_on else ""}
            decoding |= {"max_new_tokens": settings.max_new_tokens}
        if self.mode == "samples":
            decoding |= {
                "samples": settings.samples,
                "temperature": settings.temperature,
                "seed": settings.seed,
            }
        return Condition(
            kind="distribution",
            judge=judge.judge,
            revision=judge.revision,
            frame=frame_of(frame.partition("/")[0], self.style),
            chat=chat,
            decoding={
                **decoding,
                "context": settings.context_of(judge),
                "truncation": truncation_of(judge, settings),
                "dtype": settings.dtype_of(judge),
            },
            labels=tuple(str(label) for label in range(1, self.top + 1)),
        )


def ask(engine: Engine, prompts: Sequence[str], condition: Condition) -> list[Distribution | Failed]:
    """One distribution over the range a prompt, in order. A prompt that got no answer at all stays failed."""
    return _ASK[condition.decoding["mode"]](engine, prompts, condition)


def _probabilities(
    engine: Engine, prompts: Sequence[str], condition: Condition
) -> list[Distribution | Failed]:
    decoding = condition.decoding
    labels = [decoding["label_prefix"] + label for label in condition.labels or ()]
    asked, removed = fitted(engine, prompts, condition, _RESERVE)
    answers = engine.score(asked, decoding["answer_prefix"], labels)
    return [
        answer if isinstance(answer, Failed) else distribution(answer, cut)
        for answer, cut in zip(answers, removed, strict=True)
    ]


def _samples(engine: Engine, prompts: Sequence[str], condition: Condition) -> list[Distribution | Failed]:
    decoding = condition.decoding
    asked, removed = fitted(engine, prompts, condition, decoding["max_new_tokens"] + _RESERVE)
    answers = engine.sample(
        [prompt + decoding["answer_prefix"] for prompt in asked],
        decoding["max_new_tokens"],
        samples=decoding["samples"],
        temperature=decoding["temperature"],
        seed=decoding["seed"],
    )
    return [
        answer if isinstance(answer, Failed) else _shares(answer, condition, "samples", cut)
        for answer, cut in zip(answers, removed, strict=True)
    ]


def _decoded(engine: Engine, prompts: Sequence[str], condition: Condition) -> list[Distribution | Failed]:
    decoding = condition.decoding
    asked, removed = fitted(engine, prompts, condition, decoding["max_new_tokens"] + _RESERVE)
    answers = engine.generate(
        [prompt + decoding["answer_prefix"] for prompt in asked], decoding["max_new_tokens"]
    )
    return [
        answer
        if isinstance(answer, Failed)
        else _shares(answer if isinstance(answer, Overflow) else [answer], condition, "decoded", cut)
        for answer, cut in zip(answers, removed, strict=True)
    ]


_ASK: Mapping[str, Callable[[Engine, Sequence[str], Condition], list[Distribution | Failed]]] = {
    "probabilities": _probabilities,
    "samples": _samples,
    "decoded": _decoded,
}


def _shares(
    replies: Sequence[Reply] | Overflow,
    condition: Condition,
    source: Literal["samples", "decoded"],
    truncated: int,
) -> Distribution:
    if isinstance(replies, Overflow):
        return Distribution(None, None, source, "overflow", replies.prompt_tokens, truncated=truncated)
    return read_replies(replies, condition.labels or (), source, truncated)
