"""What a condition's ``truncation`` means to a protocol: prompts as they are, or cut before they are asked."""

from __future__ import annotations

from collections.abc import Sequence

from verdicts.engines.base import Engine, encoder_of
from verdicts.engines.truncation import Shortened, prompt_budget
from verdicts.judges.roster import Judge
from verdicts.plan import Settings
from verdicts.records.schema import Condition


def truncation_of(judge: Judge, settings: Settings) -> str:
    """The plan's rule; a judge behind an API is never truncated, as the release does it."""
    return "none" if judge.weights.kind == "api" else settings.truncation


def fitted(
    engine: Engine, prompts: Sequence[str], condition: Condition, reserve: int
) -> tuple[list[str], list[int]]:
    """The prompts as they are asked beside ``reserve`` tokens of answer, and how many tokens each has lost."""
    if condition.decoding["truncation"] == "none":
        return list(prompts), [0] * len(prompts)
    encoder = encoder_of(engine)
    budget = prompt_budget(condition.decoding["context"], reserve)
    shortened: list[Shortened] = [encoder.shorten(prompt, budget) for prompt in prompts]
    return [prompt.text for prompt in shortened], [prompt.removed for prompt in shortened]
