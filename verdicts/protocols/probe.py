"""The base-versus-instruct probe of RAIM's appendix D: Yes or No behind worked claims, nothing generated.

Yes is a vote for support. Each answer is scored in its spellings behind the prompt's ``Answer:``, whole, and their
probabilities are added, as the release adds those of all vocabulary pieces that spell it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from raim.errors import InputError
from verdicts.engines.base import Engine, Failed, LabelLogprobs, Overflow
from verdicts.engines.labels import label_masses, normalise
from verdicts.frames import fewshot
from verdicts.judges.roster import Judge
from verdicts.plan import Settings
from verdicts.protocols.constrained import LABELS, distribution
from verdicts.protocols.truncation import fitted, truncation_of
from verdicts.records.schema import Condition, Distribution

#: Spellings of the answers, in the order of the labels: Yes is supported, No is hallucinated.
ANSWERS = ((" Yes", " yes", " YES"), (" No", " no", " NO"))
#: The window that the release runs the probe in, and the tokens of answer that its truncation sets aside.
CONTEXT, _RESERVE = 4096, 8


def condition(judge: Judge, frame: str, chat: Mapping[str, Any] | None, settings: Settings) -> Condition:
    """The condition of the probe under a benchmark's frame.

    Raises InputError on a judge that is asked through a chat template: both arms read the same bare text.
    """
    if judge.chat:
        raise InputError(
            f"{judge.name}: the probe sends its prompt without a chat template; take the roster's entry for it, "
            f"marked `chat: false`, such as llama-3.1-8b-probe"
        )
    return Condition(
        kind="distribution",
        judge=judge.judge,
        revision=judge.revision,
        frame=f"{fewshot.PREFIX}{frame}",
        chat=None,
        decoding={
            "mode": "constrained",
            "answers": [list(spellings) for spellings in ANSWERS],
            "context": min(CONTEXT, settings.context_of(judge)),
            "truncation": truncation_of(judge, settings),
            "dtype": settings.dtype_of(judge),
        },
        labels=LABELS,
    )


def ask(engine: Engine, prompts: Sequence[str], condition: Condition) -> list[Distribution | Failed]:
    """One distribution a prompt, in order."""
    spellings = [answer for answers in condition.decoding["answers"] for answer in answers]
    asked, removed = fitted(engine, prompts, condition, _RESERVE)
    answers = engine.score(asked, "", spellings)
    return [
        answer if isinstance(answer, Failed) else _distribution(answer, cut)
        for cut, answer in zip(removed, answers, strict=True)
    ]


def _distribution(answer: LabelLogprobs | Overflow, truncated: int) -> Distribution:
    if isinstance(answer, Overflow):
        return distribution(answer, truncated)
    masses = label_masses(answer.logprobs, answer.tokens)
    size = len(ANSWERS[0])
    probabilities, off_label = normalise([sum(masses[:size]), sum(masses[size:])])
    rule = "scored" if probabilities is not None else "not_finite"
    return Distribution(
        probabilities, off_label, "token_probabilities", rule, answer.prompt_tokens, truncated=truncated
    )
