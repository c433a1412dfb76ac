"""FActScore: the first supported and the first unsupported human-annotated fact of each InstructGPT
biography.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verdicts.benchmarks.items import Item
from verdicts.benchmarks.rows import text
from verdicts.benchmarks.spec import Benchmark, Expected, Row, Source
from verdicts.frames.task import Task


def build(rows: Sequence[Row]) -> list[Item]:
    """One pair a biography; one that supplies a single class is passed over, and the others keep their line
    number.
    """
    items = []
    for number, row in enumerate(rows):
        first: dict[str, str] = {}
        for fact in _facts(row):
            first.setdefault(fact["label"], fact["text"])
        if not {"S", "NS"} <= first.keys():
            continue
        question = (
            f"Is the following biographical claim about {text(row, 'topic', number)} factually correct?"
        )
        for gold, kind, label in ((0, "pos", "S"), (1, "neg", "NS")):
            items.append(Item(f"{number}:{kind}", number, gold, question, (), first[label], category=label))
    return items


def _facts(row: Row) -> Iterator[dict[str, Any]]:
    """Human facts of the sentences that the annotation does not mark as irrelevant; one biography has no
    annotation.
    """
    for sentence in row["annotations"] or ():
        if sentence.get("is-relevant") is not False:
            yield from sentence["human-atomic-facts"] or ()


def pool(rows: Sequence[Row]) -> dict[str, int]:
    """Biographies upstream."""
    return {"biographies": len(rows)}


BENCHMARK = Benchmark(
    name="factscore",
    title="FActScore",
    tier="ungrounded",
    frame="def_on",
    task=Task("a biographical claim", None),
    content="atomic-fact verification of biographical generations",
    source=Source(
        page="https://github.com/shmsw25/FActScore",
        columns=("topic", "annotations"),
        # The release holds two sibling files of the same shape, which would give other, plausible items.
        sha256="4ec1fa538a9f99606130c76db63d4af7f203ca460954a3edd7c4d0e385cd2d58",
    ),
    build=build,
    pool=pool,
    expected=Expected(pool={"biographies": 183}, items=330, clusters=165, balance=(165, 165)),
    release_name="factscore",
)
