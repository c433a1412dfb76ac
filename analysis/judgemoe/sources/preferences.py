"""Human preferences: pairs of items, of which one was preferred (paper, sections 3.3 and 4.1).

The two sides of a pair are items named ``<pair>:a`` and ``<pair>:b``, the preferred one with target 1, the other with
0. Each was scored by itself; a pair is decided by which scores higher.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from analysis.arrays import Bools, Ints
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.gates.train import Pairs
from verdicts.records.scored_index import ScoredItem

_SIDES = ("a", "b")


def is_paired(items: Sequence[ScoredItem]) -> bool:
    """Whether the items of a dataset are the sides of preferences, all of them."""
    targets: dict[str, dict[str, float]] = {}
    for item in items:
        pair, _, side = item.uid.rpartition(":")
        targets.setdefault(pair, {})[side] = item.target
    return all(
        tuple(sorted(sides)) == _SIDES and sorted(sides.values()) == [0.0, 1.0] for sides in targets.values()
    )


def with_splits(items: Sequence[ScoredItem]) -> list[ScoredItem]:
    """Preferences without splits of their own are for evaluation alone, as MT-Bench-human is in Table 1."""
    return [item if item.split else replace(item, split="test") for item in items]


def preference_pairs(cell: Cell, kept: Bools) -> Pairs:
    """The pairs of a cell, in item order, whose two sides some judge scored; ``kept`` is a mask over the items."""
    position = {item: i for i, item in enumerate(cell.items)}
    found = [
        (i, other)
        for item, i in position.items()
        if kept[i] and item.endswith(":a") and (other := position.get(f"{item[:-1]}b")) is not None
    ]
    first, second = (np.array([pair[side] for pair in found], dtype=np.int64) for side in (0, 1))
    preferred: Ints = np.where(cell.targets[first] > cell.targets[second], 1, -1)
    return Pairs(cell, first, second, preferred)
