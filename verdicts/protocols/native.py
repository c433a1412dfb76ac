"""A purpose-trained judge's own interface (RAIM, appendix G), by the adapter that the roster names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from raim.errors import InputError
from verdicts.comparators.registry import adapter_of, find
from verdicts.engines.base import Engine, Failed
from verdicts.judges.roster import Judge
from verdicts.plan import Settings
from verdicts.records.schema import Condition, Distribution, Verdict


def condition(judge: Judge, frame: str, chat: Mapping[str, Any] | None, settings: Settings) -> Condition:
    """The condition that the judge's adapter makes. Raises InputError where the judge has none."""
    if not judge.adapter:
        raise InputError(
            f"{judge.name} has no interface of its own; give it the protocol generative or constrained"
        )
    return find(judge.adapter).condition(judge, frame, chat, settings)


def ask(
    engine: Engine, prompts: Sequence[str], condition: Condition
) -> Sequence[Verdict | Distribution | Failed]:
    """One value a prompt, in order, by the adapter that the condition's frame names."""
    adapter = adapter_of(condition.frame)
    if adapter is None:
        raise ValueError(f"{condition.frame!r} is no adapter's frame")
    return adapter.ask(engine, prompts, condition)
