"""Protocols: how a judge is asked. One a module, each with ``condition``, ``ask`` and the kind of record it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from raim.errors import InputError
from verdicts.engines.base import Engine
from verdicts.judges.roster import Judge
from verdicts.plan import Settings
from verdicts.protocols import constrained, generative
from verdicts.records.schema import Condition, Distribution, Verdict

Chat = Mapping[str, Any] | None
MakeCondition = Callable[[Judge, str, Chat, Settings], Condition]
Ask = Callable[[Engine, Sequence[str], Condition], Sequence[Verdict | Distribution]]

PROTOCOLS: Mapping[str, tuple[MakeCondition, Ask]] = {
    "generative": (generative.condition, generative.ask),
    "constrained": (constrained.condition, constrained.ask),
}


def protocol(name: str) -> tuple[MakeCondition, Ask]:
    """``condition`` and ``ask`` of a protocol. Raises InputError that lists the known ones."""
    if name not in PROTOCOLS:
        raise InputError(f"unknown protocol {name!r}; choose one of: {', '.join(PROTOCOLS)}")
    return PROTOCOLS[name]
