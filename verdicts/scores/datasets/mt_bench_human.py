"""MT-Bench-human (Zheng et al., 2023): experts' preferences between two models' conversations, ties left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from raim.errors import InputError
from verdicts.benchmarks.rows import text
from verdicts.benchmarks.spec import Row, Source
from verdicts.scores.items import ScoreItem
from verdicts.scores.pairs import PREFERENCE, pair_items
from verdicts.scores.spec import ScoreDataset

_WINNERS = {"model_a": 0, "model_b": 1}


def build(rows: Sequence[Row]) -> list[ScoreItem]:
    """Two items a judgement that is no tie, in the source's order; the question is the cluster.

    The candidate is the answer of the judged turn, its request all that precedes it. In the second turn that holds
    each model's own first answer, so that the two items of a pair differ in their source.
    """
    items = []
    for number, row in enumerate(rows):
        winner = text(row, "winner", number)
        if winner == "tie":
            continue
        if winner not in _WINNERS:
            raise InputError(f"row {number}: winner {winner!r} is none of model_a, model_b and tie")
        sides = [_judged(row[f"conversation_{side}"], row["turn"], number) for side in "ab"]
        items += pair_items(
            f"{row['question_id']}:{number}",
            str(row["question_id"]),
            sides,
            _WINNERS[winner],
            "overall quality",
        )
    return items


def _judged(conversation: Sequence[Any], turn: int, number: int) -> tuple[str, str]:
    """The request and the answer of a turn (from 1): user and assistant alternate."""
    if len(conversation) < 2 * turn or conversation[2 * turn - 1]["role"] != "assistant":
        raise InputError(f"row {number}: its conversation has no answer in turn {turn}")
    before = conversation[: 2 * turn - 1]
    if len(before) == 1:
        request = before[0]["content"]
    else:
        request = "\n\n".join(f"{said['role'].upper()}: {said['content']}" for said in before)
    return request, conversation[2 * turn - 1]["content"]


DATASET = ScoreDataset(
    name="mt_bench_human",
    title="MT-Bench-human",
    frame="assistant",
    content="experts' preferences between the answers of two models, ties left out",
    source=Source(
        page="https://huggingface.co/datasets/lmsys/mt_bench_human_judgments",
        columns=("question_id", "winner", "conversation_a", "conversation_b", "turn"),
        hub="lmsys/mt_bench_human_judgments",
        split="human",
        revision="eee87ec726e26ae277c04459975850a939bff50a",
    ),
    build=build,
    parts=(PREFERENCE,),
    published=2 * 2_575,
)
