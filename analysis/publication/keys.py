"""Where a number lies in the derived tier: a step, a benchmark, and a key into the step's file."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.steps.order import order_steps
from raim.errors import InputError

_PART = re.compile(r"<[^>]*>|[^/]+")
#: Roles whose members are named by their checkpoint; second arms and the probe's twins share it with them.
_ROLES = ("member", "frontier", "larger", "purpose_trained")


@dataclass(frozen=True)
class Place:
    """A file of the derived tier and a key in it.

    Attributes
    ----------
    step : the step
    benchmark : None for a step of the whole suite
    key : parts joined by ``/``: names, positions in lists, ``<checkpoint>`` for a member; in a list, for its position
        among the file's ``members``
    """

    step: str
    benchmark: str | None
    key: str

    @property
    def file(self) -> str:
        """The file, below the suite's derived folder."""
        return f"{self.step}.json" if self.benchmark is None else f"{self.benchmark}/{self.step}.json"

    def inside(self, *names: str) -> Place:
        """A place further down."""
        return Place(self.step, self.benchmark, "/".join([self.key, *names]))


class Absent(Exception):
    """Raised with the reason why a place holds no number for this suite."""


class Source:
    """Reads places of one suite's derived tier."""

    def __init__(self, derived: Derived) -> None:
        self._derived = derived
        self._names = {
            entry["judge"]: name
            for name, entry in derived.overview["roster"].items()
            if entry["role"] in _ROLES
        }

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """The suite's benchmarks."""
        return self._derived.benchmarks

    @cached_property
    def suite_steps(self) -> frozenset[str]:
        """The steps that speak of the whole suite."""
        return frozenset(order_steps().suite)

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """The checkpoints of its members and single judges."""
        return tuple(self._names)

    @property
    def label(self) -> str:
        """What a reader must know of the suite."""
        return self._derived.stamp.label

    def number(self, place: Place) -> float:
        """The number at a place. Raises Absent where there is none."""
        value = self.value(place)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Absent("undefined" if value is None else f"not a number: {value!r}")
        return float(value)

    def value(self, place: Place) -> Any:
        """The value at a place. Raises Absent where the suite, the step or the file lacks it."""
        if place.benchmark is not None and place.benchmark not in self.benchmarks:
            raise Absent("not a benchmark of the suite")
        try:
            if place.benchmark is None:
                value: Any = self._derived.read_suite(place.step)
            else:
                value = self._derived.read(place.benchmark, place.step)
        except Skip as skip:
            raise Absent(str(skip)) from None
        except InputError as error:
            raise Absent(f"{place.file} is not there") from error
        members = value.get("members", ())
        for part in _PART.findall(place.key):
            value = self._step_into(value, part, members)
        return value

    def _step_into(self, value: Any, part: str, members: Collection[str]) -> Any:
        if part.startswith("<"):
            if part[1:-1] not in self._names:
                raise Absent(f"the suite has no {part[1:-1]}")
            part = self._names[part[1:-1]]
            if isinstance(value, list) and part in members:
                part = str(list(members).index(part))
        if isinstance(value, Mapping) and part in value:
            return value[part]
        if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            return value[int(part)]
        raise Absent(f"no entry {part!r}")
