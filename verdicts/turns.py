"""In which order the members of a run ask: one after the other, or by turns over the same documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar


class Worded(Protocol):
    """A request, as far as its order goes."""

    @property
    def prompt(self) -> str:
        """The rendered prompt."""

    @property
    def cluster(self) -> int | str:
        """The document that requests share."""


Asked = TypeVar("Asked", bound=Worded)


def in_turn(members: Sequence[Sequence[Asked]], size: int) -> Iterator[tuple[int, list[Asked]]]:
    """Each member's place and its next call of at most ``size`` requests, one member after the other."""
    for member, requests in enumerate(members):
        ordered = sorted(requests, key=lambda request: request.prompt)
        for start in range(0, len(ordered), size):
            yield member, ordered[start : start + size]


def by_document(members: Sequence[Sequence[Asked]], size: int) -> Iterator[tuple[int, list[Asked]]]:
    """Each member's place and its next call of at most ``size`` requests, all members over a few documents by turns.

    Sorted by text, prompts over one document are neighbours. Documents are taken whole until the members have half of
    ``size`` requests each on average. For prompts that share all but their ends: a document's computation is then still
    at hand when the next member asks about it.
    """
    least = max(1, size // 2)
    turns = sorted(
        ((member, request) for member, requests in enumerate(members) for request in requests),
        key=lambda turn: (turn[1].prompt, turn[0]),
    )
    start = 0
    for end in range(1, len(turns) + 1):
        last = end == len(turns)
        if last or (
            end - start >= least * len(members) and turns[end][1].cluster != turns[end - 1][1].cluster
        ):
            for member in range(len(members)):
                mine = [request for turn, request in turns[start:end] if turn == member]
                for first in range(0, len(mine), size):
                    yield member, mine[first : first + size]
            start = end
