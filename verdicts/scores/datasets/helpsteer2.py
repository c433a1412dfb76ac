"""HelpSteer2 (Wang et al., 2024): assistant responses, five attributes scored by humans from 0 to 4.

This is its train split, the main subset of the paper; the validation split, which the paper added later, is a dataset
of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verdicts.benchmarks.rows import text
from verdicts.benchmarks.spec import Row, Source
from verdicts.scores.items import ScoreItem
from verdicts.scores.spec import Aspect, ScoreDataset

ASPECTS: Mapping[str, Aspect] = {
    name: Aspect(name, 0, 4)
    for name in ("helpfulness", "correctness", "coherence", "complexity", "verbosity")
}


def build(rows: Sequence[Row]) -> list[ScoreItem]:
    """Five items a response, in the source's order; the prompt is the cluster."""
    prompts: dict[str, int] = {}
    return [
        ScoreItem(
            uid=f"{number}:{part}",
            cluster=prompts.setdefault(text(row, "prompt", number), len(prompts)),
            target=aspect.target(row[part], number),
            source=text(row, "prompt", number),
            candidate=text(row, "response", number),
            aspect=aspect.words,
            part=part,
        )
        for number, row in enumerate(rows)
        for part, aspect in ASPECTS.items()
    ]


DATASET = ScoreDataset(
    name="helpsteer2",
    title="HelpSteer2",
    frame="assistant",
    content="assistant responses, five attributes scored by at least three annotators",
    source=Source(
        page="https://huggingface.co/datasets/nvidia/HelpSteer2",
        columns=("prompt", "response", *ASPECTS),
        hub="nvidia/HelpSteer2",
        revision="b738328cec12d3c34e63655296cef22a893113b3",
    ),
    build=build,
    parts=tuple(ASPECTS),
    published=101_620,
)
