"""Human preferences between two candidates, as items to be scored one by one (JudgeMoE, section 3.3).

Each candidate of a pair is an item under a direct-score prompt: the preferred one has target 1, the other 0, and a pair
is decided by which scores higher. The uids of a pair are ``<pair>:a`` and ``<pair>:b``. A candidate that stands in
several pairs is judged once: its items have one content.
"""

from __future__ import annotations

from collections.abc import Sequence

from verdicts.scores.items import ScoreItem


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
            part="preference",
            split=split,
        )
        for place, (source, candidate) in enumerate(candidates)
    ]
