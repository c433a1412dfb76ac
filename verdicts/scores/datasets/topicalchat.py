"""TopicalChat-USR (Mehri and Eskenazi, 2020): dialogue responses, six aspects, the mean of three annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verdicts.benchmarks.rows import text
from verdicts.benchmarks.spec import Row, Source
from verdicts.scores.items import ScoreItem
from verdicts.scores.spec import Aspect, ScoreDataset

ASPECTS: Mapping[str, Aspect] = {
    "understandability": Aspect("understandability", 0, 1),
    "naturalness": Aspect("naturalness", 1, 3),
    "coherence": Aspect("coherence", 1, 3),
    "engagingness": Aspect("engagingness", 1, 3),
    "groundedness": Aspect("groundedness", 0, 1),
    "overall": Aspect("overall quality", 1, 5),
}


def build(rows: Sequence[Row]) -> list[ScoreItem]:
    """Six items a response, in the source's order; the dialogue is the cluster.

    The source that a judge sees is the dialogue. Groundedness, which humans scored against the knowledge snippet, has
    the snippet behind it.
    """
    dialogues: dict[str, int] = {}
    items = []
    for number, row in enumerate(rows):
        dialogue = text(row, "source", number)
        snippet = text(row, "context", number)
        for part, aspect in ASPECTS.items():
            grounded = part == "groundedness"
            items.append(
                ScoreItem(
                    uid=f"{number}:{part}",
                    cluster=dialogues.setdefault(dialogue, len(dialogues)),
                    target=aspect.target(row["scores"][part], number),
                    source=f"{dialogue.strip()}\n\nKNOWLEDGE:\n{snippet.strip()}" if grounded else dialogue,
                    candidate=text(row, "system_output", number),
                    aspect=aspect.words,
                    part=part,
                )
            )
    return items


DATASET = ScoreDataset(
    name="topicalchat",
    title="TopicalChat-USR",
    frame="dialogue",
    content="dialogue responses by four decoders and two humans, six aspects scored by three annotators",
    source=Source(
        page="http://shikib.com/usr",
        columns=("source", "context", "system_output", "scores"),
    ),
    build=build,
    parts=tuple(ASPECTS),
    published=2_160,
)
