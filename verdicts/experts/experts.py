"""What each expert reads of an item, and how its number is mapped to the label range."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from raim.errors import InputError
from verdicts.records.canonical import canonical
from verdicts.scores.items import ScoreItem


@dataclass(frozen=True)
class Expert:
    """An expert of one kind.

    ``texts`` names the texts that its engine reads, None of an item that lacks one of them. ``scale`` names the map of
    :mod:`verdicts.experts.buckets`. ``cut`` says what becomes of a text that is too long: ``end`` (its end is cut off,
    as the metrics' own packages do) or ``none`` (no score). ``version`` is raised whenever the texts change.
    """

    name: str
    version: int
    texts: Callable[[ScoreItem], Mapping[str, str] | None]
    scale: str
    cut: str


def _reference(item: ScoreItem) -> Mapping[str, str] | None:
    against = item.reference.strip() or item.source.strip()
    return {"candidate": item.candidate.strip(), "reference": against} if against else None


def _exchange(item: ScoreItem) -> Mapping[str, str] | None:
    return {"request": item.source.strip(), "response": item.candidate.strip()}


def _translation(item: ScoreItem) -> Mapping[str, str] | None:
    if not item.reference.strip():
        return None
    return {
        "candidate": item.candidate.strip(),
        "reference": item.reference.strip(),
        "source": item.source.strip(),
    }


#: BERTScore compares with the reference, or with the source where a dataset has none; COMET needs a reference.
EXPERTS: Mapping[str, Expert] = {
    expert.name: expert
    for expert in (
        Expert("bertscore", 1, _reference, "unit", "end"),
        Expert("reward", 1, _exchange, "logistic", "none"),
        Expert("comet", 1, _translation, "unit", "end"),
    )
}


def find(name: str) -> Expert:
    """One expert. Raises InputError that lists the known ones."""
    if name not in EXPERTS:
        raise InputError(f"no expert {name!r}; choose one of: {', '.join(EXPERTS)}")
    return EXPERTS[name]


def request(frame: str, item: ScoreItem) -> str | None:
    """What an expert is asked about an item, as canonical JSON; None where the item lacks a text."""
    texts = find(frame.partition("/")[0]).texts(item)
    return None if texts is None else canonical(dict(texts))
