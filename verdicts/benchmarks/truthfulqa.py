"""TruthfulQA: the best answer and the first incorrect answer to each question, without evidence."""

from __future__ import annotations

from collections.abc import Sequence

from verdicts.benchmarks.items import Item
from verdicts.benchmarks.rows import text, texts
from verdicts.benchmarks.spec import Benchmark, Expected, Row, Source
from verdicts.frames.task import Task

#: Upstream column names and the hub's.
_UPSTREAM = {
    "Type": "type",
    "Category": "category",
    "Question": "question",
    "Best Answer": "best_answer",
    "Correct Answers": "correct_answers",
    "Incorrect Answers": "incorrect_answers",
}
_LISTS = ("correct_answers", "incorrect_answers")


def adapt(row: Row) -> Row:
    """A row of the upstream CSV in the hub's columns; its lists are separated by semicolons."""
    if not _UPSTREAM.keys() & row.keys():
        return row
    renamed = {_UPSTREAM.get(column, column): value for column, value in row.items()}
    return renamed | {
        name: [answer.strip() for answer in renamed[name].split(";") if answer.strip()]
        for name in _LISTS
        if name in renamed
    }


def build(rows: Sequence[Row]) -> list[Item]:
    """One pair a question; a question that lacks either answer is passed over and keeps its number."""
    items = []
    for number, row in enumerate(rows):
        correct, incorrect = (texts(row, column, number) for column in _LISTS)
        supported = row["best_answer"] or next(iter(correct), "")
        hallucinated = next(iter(incorrect), "")
        if not supported or not hallucinated:
            continue
        for gold, kind, candidate in ((0, "pos", supported), (1, "neg", hallucinated)):
            items.append(
                Item(
                    uid=f"{number}:{kind}",
                    cluster=number,
                    gold=gold,
                    question=text(row, "question", number),
                    evidence=(),
                    candidate=candidate,
                    stratum=text(row, "type", number),
                    category=text(row, "category", number),
                )
            )
    return items


def pool(rows: Sequence[Row]) -> dict[str, int]:
    """Questions upstream."""
    return {"questions": len(rows)}


BENCHMARK = Benchmark(
    name="truthfulqa",
    title="TruthfulQA",
    tier="ungrounded",
    frame="def_on",
    task=Task("a general-knowledge question", None),
    content="questions designed to elicit imitative falsehoods",
    source=Source(
        page="https://huggingface.co/datasets/truthfulqa/truthful_qa",
        columns=tuple(_UPSTREAM.values()),
        hub="truthfulqa/truthful_qa",
        config="generation",
        split="validation",
        revision="741b8276f2d1982aa3d5b832d3ee81ed3b896490",
    ),
    build=build,
    adapt=adapt,
    pool=pool,
    expected=Expected(pool={"questions": 817}, items=1_634, clusters=817, balance=(817, 817)),
    release_name="truthfulqa",
)
