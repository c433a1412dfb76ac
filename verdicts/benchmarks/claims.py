"""Selection shared by the claim-verification benchmarks: classes pooled across documents and balanced
(appendix J).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from raim.errors import InputError
from verdicts.benchmarks.items import Item
from verdicts.benchmarks.rows import text
from verdicts.benchmarks.spec import Row, Source

#: LLM-AggreFact holds all four sets in its test split, told apart by the column ``dataset``.
SOURCE = Source(
    page="https://huggingface.co/datasets/lytang/LLM-AggreFact",
    columns=("dataset", "doc", "claim", "label"),
    hub="lytang/LLM-AggreFact",
    split="test",
    revision="981dfd0bd8e58e7238a9ab92b2e6ea44bce918e4",
    gated=True,
)


def builder(subset: str) -> Callable[[Sequence[Row]], list[Item]]:
    """The builder of one ``dataset`` of LLM-AggreFact."""

    def build(rows: Sequence[Row]) -> list[Item]:
        return balance(_claims(rows, subset), subset.lower())

    return build


def counter(subset: str) -> Callable[[Sequence[Row]], dict[str, int]]:
    """The upstream pool of one ``dataset``: claims, their two classes, and distinct documents."""

    def pool(rows: Sequence[Row]) -> dict[str, int]:
        claims = _claims(rows, subset)
        unsupported = sum(gold for _, _, gold in claims)
        return {
            "claims": len(claims),
            "supported claims": len(claims) - unsupported,
            "unsupported claims": unsupported,
            "documents": len({document for document, _, _ in claims}),
        }

    return pool


def balance(claims: Sequence[tuple[str, str, int]], stratum: str) -> list[Item]:
    """Items of (document, claim, gold) triples: both classes shuffled and cut to the minority, then mixed.

    The order of the calls on the one generator is part of the benchmark: uids are positions in the result.
    """
    generator = random.Random(0)
    classes = [[claim for claim in claims if claim[2] == gold] for gold in (0, 1)]
    size = min(map(len, classes))
    for members in classes:
        generator.shuffle(members)
    chosen = classes[0][:size] + classes[1][:size]
    generator.shuffle(chosen)

    clusters: dict[str, int] = {}
    return [
        Item(
            uid=f"{position}:{'neg' if gold else 'pos'}",
            cluster=clusters.setdefault(document, len(clusters)),
            gold=gold,
            question=claim,
            evidence=(document,),
            candidate=claim,
            stratum=stratum,
            category="not_supported" if gold else "supported",
        )
        for position, (document, claim, gold) in enumerate(chosen)
    ]


def _claims(rows: Sequence[Row], subset: str) -> list[tuple[str, str, int]]:
    """(document, claim, gold) of a subset in source order; the publisher's label is inverted (1 =
    supported).
    """
    claims = []
    for number, row in enumerate(rows):
        if row["dataset"] != subset or row["label"] is None or not row["claim"]:
            continue
        if row["label"] not in (0, 1):
            raise InputError(f"row {number}: label {row['label']!r} is neither 1 (supported) nor 0")
        claims.append((text(row, "doc", number), text(row, "claim", number), 1 - int(row["label"])))
    return claims
