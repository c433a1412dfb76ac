"""What a benchmark's module declares: where its rows come from, how they become items, and what must come
out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from verdicts.benchmarks.compare import index_rows
from verdicts.benchmarks.items import Item
from verdicts.comparators.registry import render
from verdicts.frames import fewshot
from verdicts.frames.task import Task
from verdicts.records.index import write_index
from verdicts.records.schema import Condition

#: One row as a publisher keeps it.
Row = Mapping[str, Any]
Frame = Literal["def_on", "claimcheck"]
Tier = Literal["core grounded", "grounded", "ungrounded"]


@dataclass(frozen=True)
class Source:
    """Where the rows are kept.

    ``page`` is where a reader finds the data, or asks for access where ``gated``. ``columns`` are the ones a
    builder reads. ``hub``, ``config``, ``split`` and ``revision`` name the data set on the hub; ``file`` is
    one that comes with the benchmark. With neither, the reader gives a local file, which ``local`` describes where the
    page does not do. ``sha256`` is given where exactly one file is right.
    """

    page: str
    columns: tuple[str, ...]
    hub: str | None = None
    config: str | None = None
    split: str = "train"
    revision: str | None = None
    file: Path | None = None
    gated: bool = False
    local: str = ""
    sha256: str | None = None


@dataclass(frozen=True)
class Expected:
    """Table 18's row: the upstream pool, and the items, clusters and class balance (gold 0, gold 1) of it."""

    pool: Mapping[str, int]
    items: int
    clusters: int
    balance: tuple[int, int]


def count_rows(rows: Sequence[Row]) -> dict[str, int]:
    """The simplest account of an upstream pool."""
    return {"rows": len(rows)}


def as_published(row: Row) -> Row:
    """For local files that have the hub's columns already."""
    return row


@dataclass(frozen=True)
class Benchmark:
    """One benchmark. A module of this package (or a file named in the configuration) exports one as
    ``BENCHMARK``.

    ``build`` turns rows with ``source.columns`` into items, in order; ``adapt`` turns a row of a local file
    in the publisher's own shape into such a row; ``pool`` counts the upstream pool for ``expected``, which is
    None where nothing is published to compare with. ``content`` is Table 14's description, ``release_name``
    the folder of the public release. ``examples`` are the probe's worked items, which a plan that asks for the
    probe draws from all of the benchmark.
    """

    name: str
    title: str
    tier: Tier
    frame: Frame
    task: Task
    content: str
    source: Source
    build: Callable[[Sequence[Row]], list[Item]]
    adapt: Callable[[Row], Row] = as_published
    pool: Callable[[Sequence[Row]], dict[str, int]] = count_rows
    expected: Expected | None = None
    release_name: str | None = None
    examples: tuple[Item, ...] = ()

    def prompt(self, item: Item, condition: Condition) -> str | None:
        """The item's prompt under the condition's frame; None in the probe for records that its examples are of."""
        if condition.frame.startswith(fewshot.PREFIX):
            if any(item.cluster == example.cluster for example in self.examples):
                return None
            return fewshot.render(self.frame, self.task, item, self.examples)
        return render(condition.frame, self.task, item)

    def write_index(self, suite: Path, items: Sequence[Item]) -> None:
        """Write the item index of a suite's folder."""
        write_index(suite / "index" / f"{self.name}.tsv", index_rows(items))
