"""Which prompts go through the model together."""

from __future__ import annotations

from collections.abc import Sequence

Tokens = Sequence[int]


def common_prefix(first: Sequence[object], second: Sequence[object]) -> int:
    """Number of tokens, or characters, that two sequences share at their start."""
    length = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        length += 1
    return length


def by_length(sequences: Sequence[Tokens], size: int) -> list[list[int]]:
    """Positions in batches of at most ``size``, longest first, so that rows of a batch need little padding.

    Longest first: what does not fit in memory fails at once and not after hours.
    """
    order = sorted(range(len(sequences)), key=lambda i: (-len(sequences[i]), i))
    return [order[start : start + size] for start in range(0, len(order), size)]


def by_same_length(sequences: Sequence[Tokens], size: int) -> list[list[int]]:
    """Positions in batches of at most ``size`` that need no padding, longest first."""
    alike: dict[int, list[int]] = {}
    for i in sorted(range(len(sequences)), key=lambda i: (-len(sequences[i]), i)):
        alike.setdefault(len(sequences[i]), []).append(i)
    return [rows[start : start + size] for rows in alike.values() for start in range(0, len(rows), size)]


def by_prefix(sequences: Sequence[Tokens], size: int) -> list[list[int]]:
    """Positions in batches of at most ``size`` whose prompts share their start (frame, then document).

    Sorted by content, prompts over one document are neighbours. A prompt joins a batch where that costs no more
    tokens, padding counted, than going alone after the part it shares with its neighbour: then no row is padded.
    """
    order = sorted(range(len(sequences)), key=lambda i: (tuple(sequences[i]), i))
    batches: list[list[int]] = []
    shared = cost = longest = 0
    for position, i in enumerate(order):
        length = len(sequences[i])
        overlap = common_prefix(sequences[order[position - 1]], sequences[i]) if position else 0
        alone = length - overlap
        if batches and len(batches[-1]) < size:
            start, rows, top = min(shared, overlap), len(batches[-1]) + 1, max(longest, length)
            joint = start + rows * (top - start)
            if joint <= cost + alone:
                batches[-1].append(i)
                shared, cost, longest = start, joint, top
                continue
        batches.append([i])
        shared, cost, longest = length, length, length
    return batches
