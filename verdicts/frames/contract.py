"""The reasoning budget and the verdict contract, identical in both frames."""

from __future__ import annotations

from collections.abc import Iterable

CONTRACT = (
    "Think briefly (1-2 sentences), then end with exactly one line:\n"
    "VERDICT: <HALLUCINATED or SUPPORTED>"
)  # fmt: skip


def passages(evidence: Iterable[str]) -> list[str]:
    """The passages that say anything, stripped."""
    return [stripped for passage in evidence if (stripped := passage.strip())]
