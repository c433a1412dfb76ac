"""Holm's step-down correction for testing several hypotheses."""

from __future__ import annotations

from collections.abc import Mapping


def holm(p_values: Mapping[str, float | None]) -> dict[str, float | None]:
    """Adjusted p of each hypothesis of one family (appendix K).

    Ascending p times (m - rank), running maximum, at most 1. A hypothesis without a p was not tested: it
    stays undefined and is not counted in m.
    """
    tested = sorted((p, name) for name, p in p_values.items() if p is not None)
    adjusted: dict[str, float | None] = dict.fromkeys(p_values)
    running = 0.0
    for rank, (p, name) in enumerate(tested):
        running = max(running, min(1.0, p * (len(tested) - rank)))
        adjusted[name] = running
    return adjusted
