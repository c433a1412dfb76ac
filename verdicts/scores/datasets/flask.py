"""FLASK (Ye et al., 2024): responses scored by humans on the skills that each instruction needs, from 1 to 5.

Read from the evaluation file of Prometheus (Kim et al., 2024), which publishes FLASK's human scores with instruction,
response, reference answer and rubric inside one prompt of its own; the parts are taken out of it.
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

_PROMPT = re.compile(
    r"###The instruction to evaluate:\s*(?P<instruction>.*?)\s*###Response to evaluate:\s*(?P<response>.*?)"
    r"\s*###Reference Answer \(Score 5\):\s*(?P<reference>.*?)\s*###Score Rubrics:\s*(?P<rubric>.*?)\s*###Feedback:",
    re.DOTALL,
)
_RUBRIC = re.compile(r"\[(?P<description>[^\]]*)\]\s*(?P<scores>Score 1:.*)", re.DOTALL)


def build(rows: Sequence[Row]) -> list[ScoreItem]:
    """One item a response and skill, in the source's order; the instruction is the cluster."""
    instructions: dict[str, int] = {}
    items = []
    for number, row in enumerate(rows):
        prompt = _PROMPT.search(text(row, "instruction", number))
        scores = row["human_score"]
        if prompt is None or not isinstance(scores, list) or not scores:
            raise InputError(
                f"row {number}: holds no evaluation prompt with human scores; give flask_eval.json"
            )
        rubric = _RUBRIC.match(prompt["rubric"])
        skill = text(row, "criteria", number)
        items.append(
            ScoreItem(
                uid=f"{number}:{skill}",
                cluster=instructions.setdefault(prompt["instruction"], len(instructions)),
                target=SKILL.target(fmean(float(score) for score in scores), number),
                source=prompt["instruction"],
                candidate=prompt["response"],
                aspect=skill,
                criterion=rubric["description"] if rubric else skill,
                reference=prompt["reference"],
                rubric=rubric["scores"] if rubric else prompt["rubric"],
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
        page="https://github.com/prometheus-eval/prometheus-eval (eval/benchmark/data/flask_eval.json)",
        columns=("instruction", "criteria", "human_score"),
    ),
    build=build,
    parts=("skills",),
)
