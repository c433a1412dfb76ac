"""SummEval (Fabbri et al., 2021): summaries of CNN/DailyMail articles, four aspects, the mean of three experts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from raim.errors import InputError
from verdicts.benchmarks.rows import text
from verdicts.benchmarks.spec import Row, Source
from verdicts.scores.items import ScoreItem
from verdicts.scores.spec import Aspect, ScoreDataset

ASPECTS: Mapping[str, Aspect] = {
    "coherence": Aspect(
        "coherence",
        1,
        5,
        "Coherence is the quality of the summary as a whole: it is well structured and organized, and builds from "
        "sentence to sentence to a coherent body of information.",
    ),
    "consistency": Aspect(
        "consistency",
        1,
        5,
        "Consistency is the factual alignment of the summary with its source: it states only what the source document "
        "supports.",
    ),
    "fluency": Aspect(
        "fluency",
        1,
        5,
        "Fluency is the quality of the individual sentences: they are well written, grammatical and easy to read.",
    ),
    "relevance": Aspect(
        "relevance",
        1,
        5,
        "Relevance is the selection of content: the summary holds the important information of the source document, "
        "without redundancy.",
    ),
}


def build(rows: Sequence[Row]) -> list[ScoreItem]:
    """Four items a summary, documents in order of first appearance, systems as they come; the document is the cluster.

    Sources that list systems one after the other are regrouped, so that a judge reads each document once.
    """
    places = {document: i for i, document in enumerate(dict.fromkeys(str(row["id"]) for row in rows))}
    items = []
    for number, row in sorted(enumerate(rows), key=lambda entry: (places[str(entry[1]["id"])], entry[0])):
        experts = row["expert_annotations"]
        if not isinstance(experts, list) or not experts:
            raise InputError(f"row {number}: has no expert annotations; give the annotated outputs")
        for part, aspect in ASPECTS.items():
            document, system = text(row, "id", number), text(row, "model_id", number)
            items.append(
                ScoreItem(
                    uid=f"{document}:{system}:{part}",
                    cluster=document,
                    target=aspect.target(fmean(expert[part] for expert in experts), number),
                    source=text(row, "text", number),
                    candidate=text(row, "decoded", number),
                    aspect=aspect.words,
                    criterion=aspect.criterion,
                    part=part,
                )
            )
    return items


DATASET = ScoreDataset(
    name="summeval",
    title="SummEval",
    frame="summarization",
    content="summaries of news articles by several systems, four aspects scored by three experts",
    source=Source(
        page="https://github.com/Yale-LILY/SummEval",
        columns=("id", "model_id", "text", "decoded", "expert_annotations"),
    ),
    build=build,
    parts=tuple(ASPECTS),
    published=6_400,
)
