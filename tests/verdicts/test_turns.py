"""The order of asking: whole, by text, and over one document by turns."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.turns import by_document, in_turn


@dataclass(frozen=True)
class Ask:
    prompt: str
    cluster: int


def asks(documents: list[int], end: str = "") -> list[Ask]:
    """Some requests of each document, whose prompts begin with it."""
    return [
        Ask(f"document {document:03d} item {i:03d}{end}", document)
        for document, count in enumerate(documents)
        for i in range(count)
    ]


def test_members_take_turns_over_a_document() -> None:
    calls = list(by_document([asks([3, 3, 2], " 1-5"), asks([3, 3, 2], " 1-10")], size=6))
    assert [member for member, _ in calls] == [0, 1, 0, 1, 0, 1]
    assert [{ask.cluster for ask in call} for _, call in calls] == [{0}, {0}, {1}, {1}, {2}, {2}]


def test_small_documents_are_taken_together_and_large_ones_asked_about_in_batches() -> None:
    calls = list(by_document([asks([2, 2, 5, 1]), asks([2, 2, 5, 1])], size=8))
    assert [[ask.cluster for ask in call] for _, call in calls[::2]] == [[0, 0, 1, 1], [2] * 5, [3]]
    calls = list(by_document([asks([7]), asks([7])], size=3))
    assert [(member, len(call)) for member, call in calls] == [(0, 3), (0, 3), (0, 1), (1, 3), (1, 3), (1, 1)]


def test_a_member_that_has_nothing_left_of_a_document_is_not_asked() -> None:
    first, second = asks([2, 2], " a"), asks([2, 2], " b")[2:]
    assert [(member, len(call)) for member, call in by_document([first, second], size=2)] == [
        (0, 2),
        (0, 2),
        (1, 2),
    ]


def test_one_after_the_other() -> None:
    calls = list(in_turn([asks([3])[::-1], asks([2])], size=2))
    assert [(member, [ask.prompt[-3:] for ask in call]) for member, call in calls] == [
        (0, ["000", "001"]),
        (0, ["002"]),
        (1, ["000", "001"]),
    ]


@given(st.lists(st.integers(0, 5), max_size=6), st.lists(st.integers(0, 5), max_size=6), st.integers(1, 6))
@settings(derandomize=True)
def test_every_request_is_asked_once(first: list[int], second: list[int], size: int) -> None:
    members = [asks(first, " a"), asks(second, " b")]
    for calls in (by_document(members, size), in_turn(members, size)):
        asked: list[list[Ask]] = [[], []]
        for member, call in calls:
            assert 1 <= len(call) <= size
            asked[member] += call
        assert [sorted(a.prompt for a in got) for got in asked] == [
            sorted(a.prompt for a in m) for m in members
        ]
