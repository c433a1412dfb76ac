"""Which engine asks a judge, and its loading: each engine's module has a ``load`` of its own, imported when needed."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.engines.base import Engine
from verdicts.judges.roster import Judge
from verdicts.plan import Settings

#: Name -> module with ``load(judge, folder, chat, settings, threads) -> Engine``. Importing one may need its packages.
ENGINES: Mapping[str, str] = {
    "transformers": "verdicts.engines.transformers_engine",
}


def engine_of(judge: Judge, settings: Settings) -> str:
    """The engine's name: the judge's own where the roster names one, else the plan's.

    Raises InputError where there is no such engine.
    """
    name = judge.engine or settings.engine
    if name not in ENGINES:
        raise InputError(f"{judge.name}: there is no engine {name!r}; choose one of: {', '.join(ENGINES)}")
    return name


def load(
    judge: Judge, folder: Path | None, chat: Mapping[str, Any] | None, settings: Settings, threads: int
) -> Engine:
    """Load a judge with its engine. ``folder`` is its checkpoint, None for judges behind an API.

    Raises InputError where the engine's packages are missing or the judge cannot be loaded.
    """
    name = engine_of(judge, settings)
    try:
        module = importlib.import_module(ENGINES[name])
    except ModuleNotFoundError as error:
        raise InputError(
            f"the {name} engine needs the package {error.name}; QUICKSTART.md says which environment has it"
        ) from error
    engine: Engine = module.load(judge, folder, chat, settings, threads)
    return engine
