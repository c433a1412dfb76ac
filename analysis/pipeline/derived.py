"""The derived tier on disk: every number behind the tables and figures, one JSON file a step.

``<folder>/<step>.json`` speaks of the whole suite, ``<folder>/<benchmark>/<step>.json`` of one benchmark.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import raim
from analysis.skip import Skip
from raim.errors import InputError

#: Order of the benchmarks in tables; others follow by name.
TABLE_ORDER = ("medhallu", "wice", "ragtruth", "xsum", "cnn", "expertqa", "factscore", "truthfulqa")

#: The key under which each derived file names the suite it is of, and its label: no value of a step.
ORIGIN = "origin"


@dataclass(frozen=True)
class Stamp:
    """What an output was made from: the suite, the digest of its records, the version of this package.

    ``label`` is what a reader must know of the suite, such as SIMULATED; it is part of every caption.
    """

    suite: str
    records: str
    version: str
    label: str = ""

    def __str__(self) -> str:
        """One line, as printed in every table and figure."""
        return f"suite {self.suite}; records {self.records[:16]}; raim {self.version}"

    def caption(self, caption: str) -> str:
        """A caption with what a reader must know of the suite."""
        label = self.label.rstrip(".")
        return f"{caption} Suite {self.suite}: {label}." if label else caption


@dataclass(frozen=True)
class Derived:
    """The derived files of one suite, read when asked for.

    Attributes
    ----------
    folder : where they lie
    steps : the steps whose files may be read; None for all. A module's READS, so that it cannot forget one.
    """

    folder: Path
    steps: frozenset[str] | None = None

    @cached_property
    def overview(self) -> Mapping[str, Any]:
        """The ``overview`` step: suite, records' digest, members, benchmarks, best-on-average member."""
        return _read(self.folder / "overview.json")

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """The suite's benchmarks in the order of the tables."""
        return table_order(self.overview["benchmarks"])

    @property
    def stamp(self) -> Stamp:
        """The stamp of whatever is made from these files."""
        overview = self.overview
        return Stamp(overview["suite"], overview["records"], raim.__version__, overview["label"])

    def read(self, benchmark: str, step: str) -> Mapping[str, Any]:
        """The values of a step on one benchmark, such as ``read("medhallu", "ladder")``.

        Raises :class:`~analysis.skip.Skip` where the step was skipped, with its reason.
        """
        self._require(step)
        return _read(self.folder / benchmark / f"{step}.json")

    def read_each(self, step: str) -> tuple[dict[str, Mapping[str, Any]], dict[str, str]]:
        """A step's values on each benchmark that has any, and on the others the reason, in the order of the tables.

        Raises :class:`~analysis.skip.Skip` where the step was skipped on all of them, with the first one's reason.
        """
        values: dict[str, Mapping[str, Any]] = {}
        skipped: dict[str, str] = {}
        for name in self.benchmarks:
            try:
                values[name] = self.read(name, step)
            except Skip as skip:
                skipped[name] = str(skip)
        if not values:
            raise Skip(next(iter(skipped.values())))
        return values, skipped

    def read_suite(self, step: str) -> Mapping[str, Any]:
        """The values of a step on the whole suite. Raises :class:`~analysis.skip.Skip` where it was skipped."""
        self._require(step)
        return _read(self.folder / f"{step}.json")

    def _require(self, step: str) -> None:
        if self.steps is not None and step not in self.steps:
            raise ValueError(f"a file of step {step!r} is read, which READS does not name")


def table_order(benchmarks: Iterable[str]) -> tuple[str, ...]:
    """The benchmarks in the order of the tables."""
    rank = {name: position for position, name in enumerate(TABLE_ORDER)}
    return tuple(sorted(benchmarks, key=lambda name: (rank.get(name, len(rank)), name)))


def _read(path: Path) -> Mapping[str, Any]:
    try:
        values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path}: cannot read the derived file ({error}); make it with `snakemake --cores all`"
        ) from error
    if "skipped" in values:
        raise Skip(values["skipped"])
    values.pop(ORIGIN, None)
    return values
