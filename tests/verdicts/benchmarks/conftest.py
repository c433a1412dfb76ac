"""A benchmark of three rows, written here, for whatever needs one that is quick and complete."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from verdicts.benchmarks.items import Item
from verdicts.benchmarks.spec import Benchmark, Expected, Row, Source
from verdicts.frames import Task

ROWS = [{"q": f"Question {i}?", "good": f"Right {i}.", "bad": f"Wrong {i}."} for i in range(3)]


def build(rows: Sequence[Row]) -> list[Item]:
    return [
        Item(f"{i}:{kind}", i, gold, row["q"], (), row[column])
        for i, row in enumerate(rows)
        for gold, kind, column in ((0, "pos", "good"), (1, "neg", "bad"))
    ]


@pytest.fixture
def rows() -> list[dict[str, str]]:
    """The rows that ``toy`` is defined on."""
    return [dict(row) for row in ROWS]


@pytest.fixture
def toy() -> Benchmark:
    """Expects exactly the rows of ``rows``."""
    return Benchmark(
        name="toy",
        title="Toy",
        tier="ungrounded",
        frame="def_on",
        task=Task("a toy question", None),
        content="three questions",
        source=Source(page="https://example.org/toy", columns=("q", "good", "bad")),
        build=build,
        expected=Expected(pool={"rows": 3}, items=6, clusters=3, balance=(3, 3)),
    )


@pytest.fixture
def pinned(toy: Benchmark) -> Benchmark:
    """The same, on the hub at a revision, behind a gate."""
    source = replace(
        toy.source, hub="someone/toy", config="plain", split="test", revision="0123abc", gated=True
    )
    return replace(toy, source=source)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes rows as a JSON lines file."""

    def write_rows(rows: Sequence[Any], name: str = "toy.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write_rows
