"""What a score dataset's module declares: its prompt's family, where its rows come from, how they become items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from raim.errors import InputError
from verdicts.benchmarks.spec import Row, Source, as_published
from verdicts.experts.experts import request
from verdicts.records.schema import Condition
from verdicts.records.scored_index import ScoredItem, write_scored_index
from verdicts.records.suite import SCORES
from verdicts.scores.items import ScoreItem
from verdicts.scores.pairs import PREFERENCE
from verdicts.scores.templates import render

#: Column in which the loader names the split that a row came from.
SPLIT = "_split"


@dataclass(frozen=True)
class Aspect:
    """A criterion that humans scored from ``low`` to ``high``: its ``words`` in a prompt, and its description."""

    words: str
    low: float
    high: float
    criterion: str = ""

    def target(self, score: object, number: int) -> float:
        """A human score on [0, 1]. Raises InputError, naming the row, where it is no number on the aspect's scale."""
        # A mean of rounded thirds may be off its end by the rounding.
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise InputError(f"row {number}: the human score of {self.words} is {score!r}, not a number")
        if not self.low - 1e-6 <= score <= self.high + 1e-6:
            raise InputError(
                f"row {number}: the human score of {self.words} is {score!r}, not on {self.low:g} to {self.high:g}"
            )
        return min(1.0, max(0.0, (score - self.low) / (self.high - self.low)))


@dataclass(frozen=True)
class ScoreDataset:
    """One score dataset. A module of ``verdicts.scores.datasets`` exports one as ``DATASET``.

    ``frame`` is the prompt's family. ``build`` turns rows with ``source.columns`` into items, in order; ``adapt`` turns
    a row of a local file in another shape into such a row. ``parts`` are the aspects' keys; ``splits`` the hub's splits
    that the dataset consists of (empty: ``source.split`` alone, whose items have no split). ``published`` is the number
    of items that Table 9 counts, None where it counts none.
    """

    name: str
    title: str
    frame: str
    content: str
    source: Source
    build: Callable[[Sequence[Row]], list[ScoreItem]]
    parts: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    published: int | None = None
    adapt: Callable[[Row], Row] = as_published
    tier: str = SCORES

    @property
    def paired(self) -> bool:
        """Whether its items are the two sides of human preferences (:mod:`verdicts.scores.pairs`)."""
        return self.parts == (PREFERENCE,)

    def prompt(self, item: ScoreItem, condition: Condition) -> str | None:
        """The item's prompt in the condition's family, style and range, or what an expert is asked of it.

        None where an expert cannot be asked: the item lacks a text that it reads.
        """
        if condition.decoding["mode"] == "expert":
            return request(condition.frame, item)
        labels = condition.labels or ()
        return render(condition.frame, labels[0], labels[-1], item)

    def write_index(self, suite: Path, items: Sequence[ScoreItem]) -> None:
        """Write the scored index of a suite's folder: ids, targets and hashes, no text."""
        rows = [
            ScoredItem(item.uid, str(item.cluster), item.content, item.target, item.split) for item in items
        ]
        write_scored_index(suite / "scores" / f"{self.name}.tsv", rows)
