"""Which prompts share a document that the API is worth telling to cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verdicts.engines.api.prices import CHARACTERS_A_TOKEN
from verdicts.engines.batches import common_prefix

#: A prompt joins a group where no more than this share of the group's prefix is lost.
_KEPT = 0.8


@dataclass(frozen=True)
class Group:
    """Positions of prompts that share their first ``cached`` characters; one prompt alone shares none."""

    positions: tuple[int, ...]
    cached: int


def groups(prompts: Sequence[str], minimum_tokens: int) -> list[Group]:
    """Every position in one group. Two that share suffice: writing the cache and reading it once costs 1.35 of 2.

    The prefix ends with a line, so that no word is cut. The first prompt of a group has to be answered before the
    others are sent: only then is the document in the cache.
    """
    # Where the estimate is off, the API passes the mark over, at no cost.
    minimum = minimum_tokens * CHARACTERS_A_TOKEN
    order = sorted(range(len(prompts)), key=lambda position: (prompts[position], position))
    found: list[Group] = []
    start = 0
    while start < len(order):
        end, shared = start + 1, len(prompts[order[start]])
        while end < len(order):
            length = _lines(prompts[order[start]], prompts[order[end]], shared)
            if length < minimum or (end > start + 1 and length < _KEPT * shared):
                break
            end, shared = end + 1, length
        found.append(Group(tuple(order[start:end]), shared if end > start + 1 else 0))
        start = end
    return found


def _lines(first: str, other: str, longest: int) -> int:
    """Characters of whole lines that two prompts share at their start, at most ``longest``; both go on after them."""
    common = first[: min(longest, common_prefix(first, other))]
    length = common.rfind("\n") + 1
    # A block must not be blank: of equal prompts the last line that says something stays outside.
    while length and not (first[length:].strip() and other[length:].strip()):
        length = common.rfind("\n", 0, length - 1) + 1
    return length if common[:length].strip() else 0
