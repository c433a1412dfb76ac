"""MedHallu: a ground-truth and a hallucinated answer to each medical question, against the same abstract."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from raim.errors import InputError
from verdicts.benchmarks.items import Item
from verdicts.benchmarks.rows import text, texts
from verdicts.benchmarks.spec import Benchmark, Expected, Row, Source
from verdicts.frames.task import Task

# A quoted string in either style, as Python prints it.
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")


def parse_array(printed: str) -> list[str]:
    """The strings of a printed array, ``['one' "two's"]``: either quote style, blanks but no separators
    between.

    Raises ValueError on anything else, so that no passage is ever lost.
    """
    inside = re.fullmatch(r"\[(.*)\]", printed.strip(), re.DOTALL)
    if inside is None or _STRING.sub("", inside[1]).strip():
        raise ValueError("not a printed array of strings")
    return [ast.literal_eval(string) for string in _STRING.findall(inside[1])]


def adapt(row: Row) -> Row:
    """A row of the CSV, whose ``Knowledge`` is a printed array."""
    knowledge = row.get("Knowledge")
    if not isinstance(knowledge, str):
        return row
    try:
        return {**row, "Knowledge": parse_array(knowledge)}
    except (ValueError, SyntaxError) as error:
        raise InputError(
            f"column 'Knowledge' holds {knowledge[:40]!r}..., which is no array of strings; give the "
            "publisher's file"
        ) from error


def build(rows: Sequence[Row]) -> list[Item]:
    """Both answers of every row; the row is the cluster."""
    items = []
    for number, row in enumerate(rows):
        for gold, kind, column in ((0, "pos", "Ground Truth"), (1, "neg", "Hallucinated Answer")):
            items.append(
                Item(
                    uid=f"{number}:{kind}",
                    cluster=number,
                    gold=gold,
                    question=text(row, "Question", number),
                    evidence=tuple(texts(row, "Knowledge", number)),
                    candidate=text(row, column, number),
                    stratum=text(row, "Difficulty Level", number),
                    category=text(row, "Category of Hallucination", number),
                )
            )
    return items


def pool(rows: Sequence[Row]) -> dict[str, int]:
    """Questions upstream."""
    return {"questions": len(rows)}


BENCHMARK = Benchmark(
    name="medhallu",
    title="MedHallu",
    tier="core grounded",
    frame="def_on",
    task=Task("a medical research question", "Reference knowledge"),
    content="medical question answering with synthesised hallucinations",
    source=Source(
        page="https://huggingface.co/datasets/UTAustin-AIHealth/MedHallu",
        columns=(
            "Question",
            "Knowledge",
            "Ground Truth",
            "Difficulty Level",
            "Hallucinated Answer",
            "Category of Hallucination",
        ),
        hub="UTAustin-AIHealth/MedHallu",
        config="pqa_labeled",
        split="train",
        revision="515060458a945c633debc6fd5baac7764416b724",
    ),
    build=build,
    adapt=adapt,
    pool=pool,
    expected=Expected(pool={"questions": 1_000}, items=2_000, clusters=1_000, balance=(1_000, 1_000)),
    release_name="medhallu",
)
