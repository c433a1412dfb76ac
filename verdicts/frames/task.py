"""What varies in the wording from benchmark to benchmark."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """A benchmark's noun phrase ("a medical research question") and the heading of its evidence block.

    ``evidence_heading`` is None on ungrounded benchmarks, where the block and the clause announcing it drop
    out.
    """

    noun_phrase: str
    evidence_heading: str | None
