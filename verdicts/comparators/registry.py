"""Finding adapters: every module of this package that exports ``ADAPTER``. A new one is one new file."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from raim.errors import InputError
from verdicts import comparators
from verdicts.benchmarks.items import Item
from verdicts.comparators.adapter import Adapter
from verdicts.frames import render as render_frame
from verdicts.frames.task import Task


@cache
def adapters() -> Mapping[str, Adapter]:
    """All adapters by name."""
    modules = pkgutil.iter_modules(comparators.__path__)
    loaded = (importlib.import_module(f"{comparators.__name__}.{module.name}") for module in modules)
    found = [module.ADAPTER for module in loaded if hasattr(module, "ADAPTER")]
    return {adapter.name: adapter for adapter in found}


def find(name: str) -> Adapter:
    """One adapter. Raises InputError that lists the known ones."""
    if name not in adapters():
        raise InputError(f"no adapter {name!r}; choose one of: {', '.join(adapters())}")
    return adapters()[name]


def adapter_of(frame: str) -> Adapter | None:
    """The adapter whose prompts a condition's frame names; None where it is a frame of the panel's."""
    name, _, own = frame.partition("/")[0].partition("-")
    return find(name) if own else None


def render(frame: str, task: Task, item: Item) -> str:
    """The prompt of an item under a condition's frame: one of the panel's, or an adapter's own."""
    adapter = adapter_of(frame)
    name = frame.partition("/")[0]
    if adapter is None:
        return render_frame(name, task, item)
    return adapter.render(name.partition("-")[2], task, item)
