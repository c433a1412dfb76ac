"""ROSCOE-eSNLI (Golovneva et al., 2023): reasoning chains on entailment, overall quality scored by experts.

Read from the file of JUDGE-BENCH, whose rows hold the annotators' whole task text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from raim.errors import InputError
from verdicts.benchmarks.rows import text
from verdicts.benchmarks.spec import Row, Source
from verdicts.scores.items import ScoreItem
from verdicts.scores.spec import Aspect, ScoreDataset

OVERALL = Aspect("overall quality", 1, 5)

_TASK = re.compile(
    r"\nCONTEXT:\n(?P<context>Situation \(Premise\): (?P<premise>.*?)\n.*?)\n+GENERATED RESPONSE:\n(?P<chain>.*?)"
    r"\n*Judge the generated response:\s*\Z",
    re.DOTALL,
)


def build(rows: Sequence[Row]) -> list[ScoreItem]:
    """One item a chain, in the source's order; chains about one premise are a cluster.

    The context is the annotators' own, the correct relationship included.
    """
    premises: dict[str, int] = {}
    items = []
    for number, row in enumerate(rows):
        task = _TASK.search(text(row, "instance", number))
        if task is None:
            raise InputError(
                f"row {number}: holds no CONTEXT and GENERATED RESPONSE; give ROSCOE's eSNLI file"
            )
        items.append(
            ScoreItem(
                uid=str(row["id"]),
                cluster=premises.setdefault(task["premise"], len(premises)),
                target=OVERALL.target(row["annotations"]["Overall Quality"]["mean_human"], number),
                source=task["context"],
                candidate=task["chain"],
                aspect=OVERALL.words,
                part="overall",
            )
        )
    return items


DATASET = ScoreDataset(
    name="roscoe_esnli",
    title="ROSCOE-eSNLI",
    frame="reasoning",
    content="reasoning chains of a language model on entailment, overall quality scored by an expert",
    source=Source(
        page="https://github.com/dmg-illc/JUDGE-BENCH (roscoe-esnli-overall)",
        columns=("id", "instance", "annotations"),
    ),
    build=build,
    parts=("overall",),
    published=151,
)
