"""The derived tier on disk: every number behind the tables and figures, one JSON file a step.

``<folder>/overview.json`` speaks of the whole suite, ``<folder>/<benchmark>/<step>.json`` of one benchmark.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import raim
from raim.errors import InputError

#: Order of the benchmarks in tables; others follow by name.
TABLE_ORDER = ("medhallu", "wice", "ragtruth", "xsum", "cnn", "expertqa", "factscore", "truthfulqa")


@dataclass(frozen=True)
class Stamp:
    """What an output was made from: the suite, the digest of its records, the version of this package."""

    suite: str
    records: str
    version: str

    def __str__(self) -> str:
        """One line, as printed in every table and figure."""
        return f"suite {self.suite}; records {self.records[:16]}; raim {self.version}"


@dataclass(frozen=True)
class Derived:
    """The derived files of one suite, read when asked for."""

    folder: Path

    @cached_property
    def overview(self) -> Mapping[str, Any]:
        """``overview.json``: suite, records' digest, members, benchmarks, best-on-average member."""
        return _read(self.folder / "overview.json")

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """The suite's benchmarks in the order of the tables."""
        return table_order(self.overview["benchmarks"])

    @property
    def stamp(self) -> Stamp:
        """The stamp of whatever is made from these files."""
        return Stamp(self.overview["suite"], self.overview["records"], raim.__version__)

    def read(self, benchmark: str, step: str) -> Mapping[str, Any]:
        """The values of one step on one benchmark, such as ``read("medhallu", "ladder")``."""
        return _read(self.folder / benchmark / f"{step}.json")


def table_order(benchmarks: Mapping[str, Any] | list[str]) -> tuple[str, ...]:
    """The benchmarks in the order of the tables."""
    rank = {name: position for position, name in enumerate(TABLE_ORDER)}
    return tuple(sorted(benchmarks, key=lambda name: (rank.get(name, len(rank)), name)))


def _read(path: Path) -> Mapping[str, Any]:
    try:
        values: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path}: cannot read the derived file ({error}); make it with `snakemake --cores all`"
        ) from error
    return values
