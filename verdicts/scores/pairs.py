"""Human preferences between two candidates, as items to be scored one by one (JudgeMoE, section 3.3).

Each candidate of a pair is an item under a direct-score prompt: the preferred one has target 1, the other 0, and a pair
is decided by which scores higher. The uids of a pair are ``<pair>:a`` and ``<pair>:b``. A candidate that stands in
several pairs is judged once: its items have one content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from verdicts.scores.items import ScoreItem

#: The one aspect of a dataset of preferences, by which it is known as such.
PREFERENCE = "preference"


def pair_items(
    name: str,
    cluster: int | str,
    candidates: Sequence[tuple[str, str]],
    preferred: int,
    aspect: str,
    criterion: str = "",
    split: str | None = None,
) -> list[ScoreItem]:
    """The two items of a pair, in the publisher's order; ``candidates`` are (source, candidate)."""
    return [
        ScoreItem(
            uid=f"{name}:{'ab'[place]}",
            cluster=cluster,
            target=float(place == preferred),
            source=source,
            candidate=candidate,
            aspect=aspect,
            criterion=criterion,
            part=PREFERENCE,
            split=split,
        )
        for place, (source, candidate) in enumerate(candidates)
    ]


def draw_pairs(items: Sequence[ScoreItem], counts: Mapping[str, int], seed: int) -> list[ScoreItem]:
    """So many pairs of each split that ``counts`` names, in their order; of other splits all items stay.

    A split's pairs are numbered by first appearance and drawn with ``default_rng(seed).permutation``.
    """
    dropped: set[str] = set()
    for split, count in counts.items():
        pairs = list(dict.fromkeys(_pair(item) for item in items if item.split == split))
        order = np.random.default_rng(seed).permutation(len(pairs))
        dropped |= {pairs[i] for i in order[count:]}
    return [item for item in items if _pair(item) not in dropped]


def _pair(item: ScoreItem) -> str:
    return item.uid.rpartition(":")[0]
