"""WildBench (Lin et al., 2024), the hard subset: GPT-4's reference answers to real users' tasks (JudgeMoE, Table 47).

The paper takes the train split, the reference as the candidate, and tasks of at most 6,000 and answers of at most 8,000
characters (246 of 256). It does not say which score stands as the human target, and the split has none: its numbers are
``avg_score`` and ``var_score``, mean and variance of WildBench's own scores of models' answers to a task. A local file
must give the target in the column ``human_score``, from 1 to 10.
"""

from __future__ import annotations

from collections.abc import Sequence

from raim.errors import InputError
from verdicts.benchmarks.rows import text
from verdicts.benchmarks.spec import Row, Source
from verdicts.scores.items import ScoreItem
from verdicts.scores.spec import Aspect, ScoreDataset

QUALITY = Aspect("overall quality", 1, 10)
COLUMNS = ("session_id", "conversation_input", "references")
LONGEST_TASK, LONGEST_ANSWER = 6_000, 8_000


def build(rows: Sequence[Row]) -> list[ScoreItem]:
    """One item a task that is short enough, in the source's order; every task is a cluster of its own.

    A task of one turn is shown as it is; in a longer conversation each turn has its role before it.
    """
    items = []
    for number, row in enumerate(rows):
        if row.get("human_score") is None:
            raise InputError(
                f"row {number}: has no `human_score`: WildBench's hard subset has none, only `avg_score` (the mean of "
                f"its own scores of models' answers), and the paper does not say what it compares with; give a local "
                f"copy of the split (columns {', '.join(COLUMNS)}) with a column `human_score`, from 1 to 10, "
                f"whose scores you choose (`sources` in the configuration)"
            )
        turns = row["conversation_input"]
        task = (
            turns[0]["content"]
            if len(turns) == 1
            else "\n\n".join(f"{turn['role'].upper()}: {turn['content']}" for turn in turns)
        )
        answer = row["references"]["gpt-4"]
        if len(task) > LONGEST_TASK or len(answer) > LONGEST_ANSWER:
            continue
        items.append(
            ScoreItem(
                uid=text(row, "session_id", number),
                cluster=text(row, "session_id", number),
                target=QUALITY.target(row["human_score"], number),
                source=task,
                candidate=answer,
                aspect=QUALITY.words,
                part="overall",
            )
        )
    return items


DATASET = ScoreDataset(
    name="wildbench",
    title="WildBench v2-hard",
    frame="assistant",
    content="GPT-4's answers to hard tasks of real users",
    source=Source(
        page="https://huggingface.co/datasets/allenai/WildBench",
        columns=COLUMNS,
        hub="allenai/WildBench",
        config="v2-hard",
        split="train",
        revision="5d07b92bc18e5d52b90b885cbc1594a360605a1b",
    ),
    build=build,
    parts=("overall",),
    published=246,
)
