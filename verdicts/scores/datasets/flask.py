"""FLASK (Ye et al., 2024): responses scored by humans on the skills that each instruction needs, from 1 to 5.

FLASK's own repository has no human scores; Prometheus (Kim et al., 2024) publishes them in its evaluation file, with
instruction, response, reference answer and rubric inside one prompt of its own. A copy on the hub (ContextualAI/Flask)
has the parts as columns. Either is read; neither has a revision that is known here, so a local file has to be given.
JudgeMoE names no source.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import fmean

from raim.errors import InputError
from verdicts.benchmarks.rows import text
from verdicts.benchmarks.spec import Row, Source
from verdicts.scores.items import ScoreItem
from verdicts.scores.spec import Aspect, ScoreDataset

SKILL = Aspect("skill", 1, 5)

_PARTS = {
    "query": "The instruction to evaluate",
    "response": "Response to evaluate",
    "reference_answer": "Reference Answer (Score 5)",
    "rubric": "Score Rubrics",
}
_PROMPT = re.compile(
    "".join(rf"###{re.escape(heading)}:\s*(?P<{part}>.*?)\s*" for part, heading in _PARTS.items())
    + "###Feedback:",
    re.DOTALL,
)
_RUBRIC = re.compile(r"\s*\[(?P<description>[^\]]*)\]\s*(?P<scores>Score 1:.*)", re.DOTALL)


def adapt(row: Row) -> Row:
    """A row of Prometheus's file, whose ``instruction`` is the whole prompt, with its parts as columns."""
    if "query" in row or "instruction" not in row:
        return row
    prompt = _PROMPT.search(str(row["instruction"]))
    if prompt is None:
        raise InputError("`instruction` holds no evaluation prompt of Prometheus; give flask_eval.json")
    return {**row, **prompt.groupdict()}


def build(rows: Sequence[Row]) -> list[ScoreItem]:
    """One item a response and skill, in the source's order; the instruction is the cluster."""
    instructions: dict[str, int] = {}
    items = []
    for number, row in enumerate(rows):
        query = text(row, "query", number).strip()
        scores = row["human_score"]
        if not isinstance(scores, list) or not scores:
            raise InputError(f"row {number}: `human_score` is {scores!r}, not a list of humans' scores")
        rubric = _RUBRIC.match(text(row, "rubric", number))
        items.append(
            ScoreItem(
                uid=str(number),
                cluster=instructions.setdefault(query, len(instructions)),
                target=fmean(SKILL.target(score, number) for score in scores),
                source=query,
                candidate=text(row, "response", number).strip(),
                criterion=rubric["description"] if rubric else "",
                reference=text(row, "reference_answer", number).strip(),
                rubric=(rubric["scores"] if rubric else row["rubric"]).strip(),
                part="skills",
            )
        )
    return items


DATASET = ScoreDataset(
    name="flask",
    title="FLASK",
    frame="flask",
    content="responses of language models on the skills an instruction needs, scored by humans",
    source=Source(
        page="https://github.com/prometheus-eval/prometheus-eval",
        columns=("query", "response", "reference_answer", "rubric", "human_score"),
        local=(
            "has no pinned source: get eval/benchmark/data/flask_eval.json of "
            "https://github.com/prometheus-eval/prometheus-eval (columns instruction, human_score), or the split test "
            "of https://huggingface.co/datasets/ContextualAI/Flask (columns query, response, reference_answer, "
            "rubric, human_score; 2,001 rows)"
        ),
    ),
    build=build,
    adapt=adapt,
    parts=("skills",),
)
