"""Minipairs: 72 matched pairs over varied subjects, written for this project (CC BY 4.0).

Small enough to run a judge over on a laptop, and shipped whole, so that the chain from items to tables runs
with no hub. Passages are invented or common knowledge; a pair's candidates differ in the point at issue and
hardly in length. Six kinds of failure, twelve pairs each: reversed finding, invented number, added specific,
wrong entity, misread question, negation. Scores on it say that a chain works, not how good a judge is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from verdicts.benchmarks.items import Item
from verdicts.benchmarks.rows import text, texts
from verdicts.benchmarks.spec import Benchmark, Expected, Row, Source
from verdicts.frames.task import Task

_COLUMNS = ("question", "evidence", "supported", "hallucinated", "category", "difficulty")


def build(rows: Sequence[Row]) -> list[Item]:
    """Both candidates of every row; the row is the cluster."""
    return [
        Item(
            uid=f"{number}:{kind}",
            cluster=number,
            gold=gold,
            question=text(row, "question", number),
            evidence=tuple(texts(row, "evidence", number)),
            candidate=text(row, column, number),
            stratum=text(row, "difficulty", number),
            category=text(row, "category", number),
        )
        for number, row in enumerate(rows)
        for gold, kind, column in ((0, "pos", "supported"), (1, "neg", "hallucinated"))
    ]


BENCHMARK = Benchmark(
    name="minipairs",
    title="Minipairs",
    tier="grounded",
    frame="def_on",
    task=Task("a general-knowledge question", "Reference knowledge"),
    content="short invented passages with one altered answer each",
    source=Source(
        page="verdicts/benchmarks/minipairs.jsonl",
        columns=_COLUMNS,
        file=Path(__file__).with_name("minipairs.jsonl"),
    ),
    build=build,
    expected=Expected(pool={"rows": 72}, items=144, clusters=72, balance=(72, 72)),
)
