"""Small folders of released distribution records, as a judging run exports them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from verdicts.records.files import write_record_file
from verdicts.records.schema import Condition, Distribution, Record
from verdicts.records.scored_index import ScoredItem, write_scored_index
from verdicts.records.suite import Suite, SuiteMember, write_suite


def scored_items(count: int, prefix: str = "u", per_cluster: int = 3, seed: int = 0) -> list[ScoredItem]:
    """Items with human scores, in clusters."""
    targets = np.random.default_rng(seed).random(count)
    return [
        ScoredItem(f"{prefix}{i}", f"c{i // per_cluster}", f"{prefix}h{i}", float(target))
        for i, target in enumerate(targets)
    ]


def preference_items(splits: Mapping[str | None, int], prefix: str = "p", seed: int = 0) -> list[ScoredItem]:
    """Both sides of so many pairs of each split; the preferred side is drawn."""
    rng = np.random.default_rng(seed)
    return [
        ScoredItem(
            f"{prefix}{split}{n}:{side}", f"{prefix}{n // 2}", f"{prefix}{split}{n}{side}", float(won), split
        )
        for split, count in splits.items()
        for n in range(count)
        for first in [bool(rng.random() < 0.5)]
        for side, won in (("a", first), ("b", not first))
    ]


class RecordedFolder:
    """A suite of score records that is written piece by piece; ``described`` writes its ``suite.json`` at last."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._members: dict[str, SuiteMember] = {}

    def dataset(self, name: str, items: list[ScoredItem]) -> None:
        """Write a scored index."""
        write_scored_index(self.path / "scores" / f"{name}.tsv", items)

    def member(
        self,
        dataset: str,
        judge: str,
        top: int,
        distributions: Mapping[str, tuple[float, ...] | None],
        *,
        role: str = "member",
        style: str = "default",
        source: str = "token_probabilities",
    ) -> None:
        """Write a judge's distributions by item content, from 1 to ``top``; an expert's where that is its role."""
        mode = "expert" if role == "expert" else "probabilities"
        labels = tuple(str(label) for label in range(1, top + 1))
        condition = Condition("distribution", judge, "r", f"family-{style}/1", None, {"mode": mode}, labels)
        records = [
            Record(condition.key(item, "p"), item, "p", Distribution(p, 0.1, source, "scored", 9))
            for item, p in distributions.items()
        ]
        name = f"{judge.replace('/', '-')}.{mode}-1-{top}-{style}"
        write_record_file(self.path / "records" / dataset / f"{name}.jsonl.gz", condition, records, ())
        self._members[name] = SuiteMember(judge, judge, "r", f"{mode}-1-{top}", role=role)

    def described(self, title: str = "Toy scores") -> Path:
        """Write the description; returns the folder."""
        write_suite(self.path, Suite(self.path.name, title, "measured", {}, self._members))
        return self.path


def leaning(items: Iterable[ScoredItem], top: int, rng: np.random.Generator) -> dict[str, tuple[float, ...]]:
    """Distributions by item content that lean to the human score."""
    labels = np.linspace(0, 1, top)
    return {
        item.content: tuple(rng.dirichlet(1 + 8 * np.exp(-((labels - item.target) ** 2) / 0.05)).tolist())
        for item in items
    }
