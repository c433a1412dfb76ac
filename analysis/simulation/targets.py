"""What the simulated suite is fitted to: published facts of the paper's panel, read from ``targets.json``.

The file is transcribed from the paper and the release's derived tier (``tests/analysis/simulation/transcribe.py`` does
it, and says where each number stands); it holds no vote and no item of the release.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from analysis.arrays import Floats

_FILE = Path(__file__).parent / "targets.json"


@dataclass(frozen=True)
class Judge:
    """A judge of the suite. ``role`` is ``member`` or a comparator's."""

    checkpoint: str
    tag: str
    developer: str
    parameters: str
    role: str


@dataclass(frozen=True)
class Scores:
    """Published scores of one judge on one benchmark.

    Attributes
    ----------
    kappa : Cohen's kappa over the committed items
    committed : items with a verdict
    true_positives, false_positives, true_negatives : counts, None where they are not published
    exact : whether ``kappa`` is the full-sample value; otherwise it is a mean of bootstrap draws, near to it
    """

    kappa: float
    committed: int
    true_positives: int | None = None
    false_positives: int | None = None
    true_negatives: int | None = None
    exact: bool = True


@dataclass(frozen=True)
class Benchmark:
    """One benchmark as published.

    Attributes
    ----------
    clusters : (supported, hallucinated, number of clusters of that composition), as Table 18 allows
    scores : by checkpoint, members and comparators
    phi : (k, k) error correlations of the members in ascending order of checkpoint, diagonal 1
    average_member : 95% interval of the average member's kappa
    panel_minus_frontier : 95% interval of the stacked panel's kappa minus the frontier judge's
    """

    title: str
    tier: str
    frame: str
    clusters: tuple[tuple[int, int, int], ...]
    scores: Mapping[str, Scores]
    phi: Floats
    average_member: tuple[float, float]
    panel_minus_frontier: tuple[float, float]

    @property
    def paired(self) -> bool:
        """Whether every cluster is one supported and one hallucinated item."""
        return all(composition[:2] == (1, 1) for composition in self.clusters)

    @property
    def class_sizes(self) -> tuple[int, int]:
        """Items of gold 0 and of gold 1."""
        return (
            sum(supported * count for supported, _, count in self.clusters),
            sum(hallucinated * count for _, hallucinated, count in self.clusters),
        )


@dataclass(frozen=True)
class Targets:
    """All targets: judges in roster order, benchmarks in the order of the tables."""

    judges: tuple[Judge, ...]
    benchmarks: Mapping[str, Benchmark]

    @property
    def members(self) -> tuple[str, ...]:
        """Checkpoints of the members, ascending: the order of ``phi``."""
        return tuple(sorted(judge.checkpoint for judge in self.judges if judge.role == "member"))


@cache
def read_targets() -> Targets:
    """The targets that come with the package."""
    value = json.loads(_FILE.read_text(encoding="utf-8"))
    return Targets(
        judges=tuple(Judge(**judge) for judge in value["judges"]),
        benchmarks={name: _benchmark(entry) for name, entry in value["benchmarks"].items()},
    )


def _benchmark(value: Mapping[str, Any]) -> Benchmark:
    above = [number for row in value["phi_above_diagonal"] for number in row]
    size = len(value["phi_above_diagonal"]) + 1
    phi = np.zeros((size, size))
    phi[np.triu_indices(size, 1)] = above
    phi = phi + phi.T + np.eye(size)
    return Benchmark(
        title=value["title"],
        tier=value["tier"],
        frame=value["frame"],
        clusters=tuple((s, h, n) for s, h, n in value["clusters"]),
        scores={checkpoint: Scores(**scores) for checkpoint, scores in value["scores"].items()},
        phi=phi,
        average_member=(value["average_member"][0], value["average_member"][1]),
        panel_minus_frontier=(value["panel_minus_frontier"][0], value["panel_minus_frontier"][1]),
    )
