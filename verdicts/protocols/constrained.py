"""Probabilities of the two labels at the answer position, nothing generated.

The prompt is the papers' own; the answer is opened with ``VERDICT:`` and each label scored whole behind it. This is
the idea of RAIM's appendix D with the frames of section 2 in place of its few-shot prompt, so that a judge under the
two protocols differs in nothing but how it is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verdicts.engines.base import Engine, Failed, LabelLogprobs, Overflow
from verdicts.engines.labels import label_masses, normalise
from verdicts.judges.roster import Judge
from verdicts.plan import Settings
from verdicts.protocols.truncation import fitted, truncation_of
from verdicts.records.schema import Condition, Distribution

#: In the order of the votes: index 0 is supported, index 1 hallucinated.
LABELS = ("SUPPORTED", "HALLUCINATED")

#: Tokens of answer that truncation sets aside: the release's number for its scorer.
_RESERVE = 8


def condition(judge: Judge, frame: str, chat: Mapping[str, Any] | None, settings: Settings) -> Condition:
    """The condition of label probabilities under a frame."""
    return Condition(
        kind="distribution",
        judge=judge.judge,
        revision=judge.revision,
        frame=frame,
        chat=chat,
        decoding={
            "mode": "constrained",
            "answer_prefix": "VERDICT:",
            "label_prefix": " ",
            "context": settings.context_of(judge),
            "truncation": truncation_of(judge, settings),
            "dtype": settings.dtype_of(judge),
        },
        labels=LABELS,
    )


def ask(engine: Engine, prompts: Sequence[str], condition: Condition) -> list[Distribution | Failed]:
    """One distribution a prompt, in order."""
    labels = [condition.decoding["label_prefix"] + label for label in condition.labels or ()]
    asked, removed = fitted(engine, prompts, condition, _RESERVE)
    answers = engine.score(asked, condition.decoding["answer_prefix"], labels)
    return [
        answer if isinstance(answer, Failed) else distribution(answer, cut)
        for cut, answer in zip(removed, answers, strict=True)
    ]


def distribution(answer: LabelLogprobs | Overflow, truncated: int = 0) -> Distribution:
    """The labels' probabilities, or why there are none. ``truncated`` counts the prompt's tokens that were cut."""
    if isinstance(answer, Overflow):
        return Distribution(
            None, None, "token_probabilities", "overflow", answer.prompt_tokens, truncated=truncated
        )
    probabilities, off_label = normalise(label_masses(answer.logprobs, answer.tokens))
    rule = "scored" if probabilities is not None else "not_finite"
    return Distribution(
        probabilities, off_label, "token_probabilities", rule, answer.prompt_tokens, truncated=truncated
    )
