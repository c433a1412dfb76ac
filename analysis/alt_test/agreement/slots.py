"""Labels in slots, (n, r) codes with negative ones for "no label": what the measures over items start from."""

from __future__ import annotations

from analysis.arrays import Ints


def paired(codes: Ints) -> Ints:
    """The items with two labels or more."""
    kept: Ints = codes[(codes >= 0).sum(axis=1) >= 2]
    return kept


def equal_pairs(codes: Ints) -> Ints:
    """(n,) ordered pairs of different annotators of an item who gave the same label."""
    given = codes >= 0
    same = (codes[:, :, None] == codes[:, None, :]) & given[:, :, None]
    pairs: Ints = same.sum(axis=(1, 2)) - given.sum(axis=1)
    return pairs
