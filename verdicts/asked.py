"""What the chain from a plan to a suite needs of a benchmark, whether it asks for verdicts or for scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from verdicts.records.schema import Condition


class Subject(Protocol):
    """An item of either kind."""

    @property
    def uid(self) -> str:
        """Names the item within its benchmark."""

    @property
    def cluster(self) -> int | str:
        """The document or source record that items share."""

    @property
    def content(self) -> str:
        """Hash of what the item says."""


class Asked(Protocol):
    """A benchmark of verdicts or a dataset of scores; its own items are the only ones it takes."""

    @property
    def name(self) -> str:
        """Names it in plans and paths."""

    @property
    def title(self) -> str:
        """Its name in tables."""

    @property
    def tier(self) -> str:
        """Its place in tables; ``scores`` for a dataset of scores."""

    @property
    def frame(self) -> str:
        """The frame of its prompts, or their family."""

    @property
    def content(self) -> str:
        """What it holds, in words."""

    def prompt(self, item: Any, condition: Condition) -> str | None:
        """The rendered prompt of an item under a condition; None where the condition does not ask about it."""

    def write_index(self, suite: Path, items: Sequence[Any]) -> None:
        """Write the index of the items into a suite's folder."""
