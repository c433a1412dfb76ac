"""Which engine asks a judge, and its loading: each engine's module has a ``load`` of its own, imported when needed."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.engines.base import Engine
from verdicts.judges.roster import Judge
from verdicts.plan import Settings

#: Name -> module with ``load(judge, folder, chat, settings, threads) -> Engine``. Importing one may need its packages.
ENGINES: Mapping[str, str] = {
    "transformers": "verdicts.engines.transformers_engine",
    "seq2seq": "verdicts.engines.seq2seq_engine",
    "bertscore": "verdicts.engines.bertscore_engine",
    "reward": "verdicts.engines.reward_engine",
    "comet": "verdicts.engines.comet_engine",
    "vllm": "verdicts.engines.vllm_engine",
    "anthropic": "verdicts.engines.anthropic_engine",
}

#: Engines whose judges give replies and no token probabilities, and the protocols that make do with replies.
_REPLIES_ONLY = frozenset({"anthropic"})
_OF_REPLIES = ("generative", "decoded-", "samples-")


def engine_of(judge: Judge, settings: Settings) -> str:
    """The engine's name: the judge's own where the roster names one, else the plan's.

    Raises InputError where there is no such engine.
    """
    name = judge.engine or settings.engine
    if name not in ENGINES:
        raise InputError(f"{judge.name}: there is no engine {name!r}; choose one of: {', '.join(ENGINES)}")
    return name


def refuse_probabilities(judge: Judge, settings: Settings, protocols: Iterable[str]) -> None:
    """Raise InputError where one of the protocols reads what the judge's engine cannot give."""
    asked = [name for name in protocols if not name.startswith(_OF_REPLIES)]
    if asked and engine_of(judge, settings) in _REPLIES_ONLY:
        raise InputError(
            f"{judge.name}: its API exposes no log-probabilities, which {', '.join(asked)} would read; give it the "
            f"protocol generative, or for scores decoded-... or samples-..."
        )


def load(
    judge: Judge, folder: Path | None, chat: Mapping[str, Any] | None, settings: Settings, threads: int
) -> Engine:
    """Load a judge with its engine. ``folder`` is its checkpoint, None for judges behind an API.

    Raises InputError where the engine's packages are missing or the judge cannot be loaded.
    """
    name = engine_of(judge, settings)
    try:
        engine: Engine = importlib.import_module(ENGINES[name]).load(judge, folder, chat, settings, threads)
    except ModuleNotFoundError as error:
        raise InputError(
            f"the {name} engine needs the package {error.name}; QUICKSTART.md says which environment has it"
        ) from error
    return engine
