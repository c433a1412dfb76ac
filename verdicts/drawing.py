"""The items that a plan asks about: those drawn of each benchmark, and a process's part of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from raim.errors import InputError
from verdicts.arms import with_examples
from verdicts.asked import Asked, Subject
from verdicts.benchmarks import registry
from verdicts.benchmarks.hub import how_to_get
from verdicts.benchmarks.load import load_items
from verdicts.plan import Plan, Sample
from verdicts.scores.load import load_scores
from verdicts.scores.pairs import draw_pairs
from verdicts.scores.registry import score_datasets

Item = TypeVar("Item", bound=Subject)


@dataclass(frozen=True)
class Slice:
    """The ``number``-th of ``count`` parts of the items (from 1), cut between clusters."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Slice:
        """Read ``2/8``. Raises InputError on anything else."""
        match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise InputError(
                f"slice {text!r}: give a part and the number of parts, such as 1/4, 2/4, 3/4 and 4/4"
            )
        return cls(int(match[1]), int(match[2]))

    def of(self, items: Sequence[Item]) -> list[Item]:
        """The items of this slice, in their order: clusters are dealt round, in order of first appearance.

        A document's items stay together, so that a judge reads it once; the slices partition the items.
        """
        turn = {
            cluster: i % self.count for i, cluster in enumerate(dict.fromkeys(item.cluster for item in items))
        }
        return [item for item in items if turn[item.cluster] == self.number - 1]


def items_of(plan: Plan, names: Sequence[str] | None = None) -> list[tuple[Asked, Sequence[Subject]]]:
    """The plan's benchmarks (or those named, in that order) with the items drawn of each.

    Raises InputError on a benchmark that the plan does not have, and on any source that cannot be read.
    """
    unknown = sorted(set(names or ()) - set(plan.benchmarks))
    if unknown:
        raise InputError(
            f"{', '.join(unknown)} is not among the plan's benchmarks: {', '.join(plan.benchmarks)}"
        )
    return [_drawn(plan, name) for name in names or plan.benchmarks]


def _drawn(plan: Plan, name: str) -> tuple[Asked, Sequence[Subject]]:
    sample, source = plan.benchmarks[name], plan.sources.get(name)
    dataset = score_datasets().get(name)
    if dataset is not None:
        scored = draw_pairs(load_scores(dataset, source, sample.aspects), sample.pairs, sample.seed)
        return dataset, draw(scored, sample)
    benchmark = registry.find(name)
    items = load_items(benchmark, source)
    if any(member.protocol == "probe" and member.judges(name) for member in plan.members):
        # From all items: a sample or a slice of them would have other examples.
        benchmark = with_examples(benchmark, items)
    return benchmark, draw(items, sample)


def draw(items: Sequence[Item], sample: Sample) -> list[Item]:
    """The items of ``sample.clusters`` clusters, in their order; clusters are drawn whole, without replacement.

    Clusters are numbered by first appearance and drawn with ``default_rng(seed).permutation``.
    """
    clusters = list(dict.fromkeys(item.cluster for item in items))
    if sample.clusters is None or sample.clusters >= len(clusters):
        return list(items)
    chosen = np.random.default_rng(sample.seed).permutation(len(clusters))[: sample.clusters]
    kept = {clusters[i] for i in chosen}
    return [item for item in items if item.cluster in kept]


def require_sources(plans: Iterable[Plan]) -> None:
    """Refuse plans with a benchmark whose rows cannot be had, before weights are fetched for it.

    Raises InputError that lists every file that is not there, and every benchmark on no hub that has no file.
    """
    missing = []
    for plan in plans:
        for name in plan.benchmarks:
            given = plan.sources.get(name)
            source = (score_datasets().get(name) or registry.find(name)).source
            if given is not None and not given.exists():
                missing.append(f"{name}: there is no {given} ({source.page})")
            elif given is None and source.hub is None and source.file is None:
                missing.append(f"{name}: {how_to_get(source)}")
    if missing:
        lines = "".join(f"\n    {line}" for line in missing)
        raise InputError(
            f"these benchmarks' rows cannot be had; give them in the configuration, or leave the benchmarks out:\n"
            f"  judge:\n   sources:{lines}"
        )
