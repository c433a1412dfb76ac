"""WMT MQM (Freitag et al., 2021): translations scored by experts who marked errors.

An MQM score is a penalty, 0 at best; the target is its place between 0 and a full 25 points, the most that the scheme
of Freitag et al. takes off a segment (a non-translation). Segments that were penalised further are at the bottom.
"""

from __future__ import annotations

from collections.abc import Sequence

from raim.errors import InputError
from verdicts.benchmarks.rows import text
from verdicts.benchmarks.spec import Row, Source
from verdicts.scores.items import ScoreItem
from verdicts.scores.spec import Aspect, ScoreDataset

#: Points of the worst segment.
WORST = -25.0
MQM = Aspect("overall translation quality", WORST, 0.0)


def build(rows: Sequence[Row]) -> list[ScoreItem]:
    """One item a translation, in the source's order; the language pair and source segment are the cluster."""
    segments: dict[tuple[str, str], int] = {}
    items = []
    for number, row in enumerate(rows):
        segment = (text(row, "lp", number), text(row, "src", number))
        items.append(
            ScoreItem(
                uid=str(number),
                cluster=segments.setdefault(segment, len(segments)),
                target=MQM.target(max(WORST, _score(row["score"], number)), number),
                source=segment[1],
                candidate=text(row, "mt", number),
                aspect=MQM.words,
                reference=row["ref"] or "",
                part="overall",
            )
        )
    return items


def _score(value: object, number: int) -> float:
    """A number, which the hub's CSV file may hold as text."""
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise InputError(f"row {number}: the score is {value!r}, not a number") from error


DATASET = ScoreDataset(
    name="wmt_mqm",
    title="WMT MQM",
    frame="translation",
    content="translations of WMT systems, errors marked and weighted by experts",
    source=Source(
        page="https://huggingface.co/datasets/RicardoRei/wmt-mqm-human-evaluation",
        columns=("lp", "src", "mt", "ref", "score", "system"),
        hub="RicardoRei/wmt-mqm-human-evaluation",
        revision="c299be4298b58f71d60f2718273b7c0d64d3aacd",
    ),
    build=build,
    parts=("overall",),
    published=150_347,
)
