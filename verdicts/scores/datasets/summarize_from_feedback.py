"""Summarize-from-Feedback (Stiennon et al., 2020): preferences between two summaries of a post or article."""

from __future__ import annotations

from collections.abc import Sequence

from raim.errors import InputError
from verdicts.benchmarks.spec import Row, Source
from verdicts.scores.items import ScoreItem
from verdicts.scores.pairs import PREFERENCE, pair_items
from verdicts.scores.spec import SPLIT, ScoreDataset

#: The quality that its labellers compared.
CRITERION = (
    "A good summary is short, states purpose and main points of the source accurately, and can stand for it."
)


def build(rows: Sequence[Row]) -> list[ScoreItem]:
    """Two items a comparison, in the source's order; the post or article is the cluster.

    Posts of Reddit are shown with their title, articles as they are.
    """
    items = []
    for number, row in enumerate(rows):
        info, summaries = row["info"], row["summaries"]
        if len(summaries) != 2 or row["choice"] not in (0, 1):
            raise InputError(f"row {number}: compares {len(summaries)} summaries, choice {row['choice']!r}")
        post = info.get("post")
        source = info.get("article") if not post else f"{info.get('title') or ''}\n\n{post}".strip()
        if not source:
            raise InputError(f"row {number}: has neither a post nor an article")
        items += pair_items(
            f"{row[SPLIT]}:{number}",
            info["id"],
            [(source, summary["text"]) for summary in summaries],
            row["choice"],
            "overall quality",
            CRITERION,
            row[SPLIT],
        )
    return items


DATASET = ScoreDataset(
    name="summarize_from_feedback",
    title="Summarize-from-Feedback",
    frame="summarization",
    content="labellers' preferences between two summaries",
    source=Source(
        page="https://huggingface.co/datasets/openai/summarize_from_feedback",
        columns=("info", "summaries", "choice"),
        hub="openai/summarize_from_feedback",
        config="comparisons",
        revision="bd3f6f2b65c0e2bb18b8460aa0d450828c5b9da4",
    ),
    build=build,
    parts=(PREFERENCE,),
    splits=("train", "validation"),
)
