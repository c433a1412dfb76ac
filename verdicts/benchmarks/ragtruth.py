"""RAGTruth (question answering): a clean and a hallucinated response to each question, against the same
passages.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from verdicts.benchmarks.items import Item
from verdicts.benchmarks.rows import text
from verdicts.benchmarks.spec import Benchmark, Expected, Row, Source
from verdicts.frames.task import Task

_LOG = logging.getLogger(__name__)
_KINDS = ("evident_conflict", "baseless_info")


def build(rows: Sequence[Row]) -> list[Item]:
    """One pair a question, numbered in order of appearance among the questions that supply both classes.

    The first response to a question fixes its context; the first of the other class is taken only if its
    context is the same, and the search goes on where it is not.
    """
    questions: dict[str, tuple[str, dict[int, str]]] = {}
    skipped = 0
    for number, row in _responses(rows):
        context, first = questions.setdefault(
            text(row, "query", number).strip(), (text(row, "context", number), {})
        )
        gold = _gold(row)
        if gold in first:
            continue
        if row["context"] == context:
            first[gold] = text(row, "output", number)
        else:
            skipped += 1
    if skipped:
        _LOG.warning("%d responses were passed over: their context is not their question's", skipped)

    pairs = [
        (query, context, first)
        for query, (context, first) in questions.items()
        if len(first) == 2 and context
    ]
    return [
        Item(
            f"{number}:{'neg' if gold else 'pos'}", number, gold, query, (context,), first[gold], stratum="qa"
        )
        for number, (query, context, first) in enumerate(pairs)
        for gold in (0, 1)
    ]


def pool(rows: Sequence[Row]) -> dict[str, int]:
    """Responses and distinct questions upstream."""
    responses = _responses(rows)
    return {"responses": len(responses), "questions": len({row["query"].strip() for _, row in responses})}


def _responses(rows: Sequence[Row]) -> list[tuple[int, Row]]:
    """Question-answering rows with their number in the source."""
    return [
        (number, row) for number, row in enumerate(rows) if text(row, "task_type", number).lower() == "qa"
    ]


def _gold(row: Row) -> int:
    """1 where any span is annotated; the processed counts decide, the raw list only where they are
    missing.
    """
    counts = row["hallucination_labels_processed"]
    if counts is None:
        return int(row.get("hallucination_labels") not in (None, "", "[]"))
    return int(sum(counts[kind] for kind in _KINDS) > 0)


BENCHMARK = Benchmark(
    name="ragtruth",
    title="RAGTruth",
    tier="core grounded",
    frame="def_on",
    task=Task("a retrieval-augmented question", "Retrieved passages"),
    content="retrieval-augmented responses annotated for unsupported content",
    source=Source(
        page="https://huggingface.co/datasets/wandb/RAGTruth-processed",
        columns=("query", "context", "output", "task_type", "hallucination_labels_processed"),
        hub="wandb/RAGTruth-processed",
        split="train",
        revision="eb4f4b9d1b68eb7092d3e1a61c0cd82d9808737b",
    ),
    build=build,
    pool=pool,
    expected=Expected(
        pool={"responses": 5_034, "questions": 839}, items=1_362, clusters=681, balance=(681, 681)
    ),
    release_name="ragtruth",
)
