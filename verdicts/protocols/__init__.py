"""Protocols: how a judge is asked. One a module, each with ``condition``, ``ask`` and the kind of record it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from raim.errors import InputError
from verdicts.engines.base import Engine, Failed
from verdicts.judges.roster import Judge
from verdicts.plan import Settings
from verdicts.protocols import constrained, expert, generative, native, probe, scores
from verdicts.records.schema import Condition, Distribution, Verdict

Chat = Mapping[str, Any] | None
MakeCondition = Callable[[Judge, str, Chat, Settings], Condition]
Ask = Callable[[Engine, Sequence[str], Condition], Sequence[Verdict | Distribution | Failed]]

PROTOCOLS: Mapping[str, tuple[MakeCondition, Ask]] = {
    "generative": (generative.condition, generative.ask),
    "constrained": (constrained.condition, constrained.ask),
    "probe": (probe.condition, probe.ask),
}


def protocol(name: str) -> tuple[MakeCondition, Ask]:
    """``condition`` and ``ask`` of a protocol. Raises InputError that lists the known ones."""
    if name == "native":
        return native.condition, native.ask
    rated = expert.ExpertProtocol.parse(name)
    if rated is not None:
        return rated.condition, expert.ask
    scored = scores.ScoreProtocol.parse(name)
    if scored is not None:
        return scored.condition, scores.ask
    if name not in PROTOCOLS:
        raise InputError(
            f"unknown protocol {name!r}; choose one of: {', '.join(PROTOCOLS)}, native; or for scores probabilities, "
            f"samples or decoded with a range and, if you like, a style, such as probabilities-1-5 or "
            f"decoded-1-10-critical"
        )
    return PROTOCOLS[name]
