"""What the simulated suite is fitted to: published facts of the paper's panel and of what stands beside it.

``targets.json`` has the panel, the frontier judge and the larger open judges; ``beside.json`` the purpose-trained
judges and the second arms under the question-answering frame. Both are transcribed from the paper and the release's
derived tier (``tests/analysis/simulation/transcribe.py`` does it, and says where each number stands); they hold no vote
and no item of the release.
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

#: The panel's file, and that of the judges and arms that were added beside it.
PANEL_FILE = Path(__file__).parent / "targets.json"
BESIDE_FILE = Path(__file__).parent / "beside.json"


@dataclass(frozen=True)
class Judge:
    """A judge of the suite; ``role`` and ``needs_document`` as in the suite's description."""

    checkpoint: str
    tag: str
    developer: str
    parameters: str
    role: str
    needs_document: bool = False

    @property
    def protocol(self) -> str:
        """How the judge is asked: a purpose-trained one through an interface of its own."""
        return "native" if self.role == "purpose_trained" else "generative"


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
class SecondFrame:
    """Second arms under the question-answering frame (Table 11).

    Attributes
    ----------
    scores : by checkpoint, members and the frontier judge
    gains : by member, 95% interval of its balanced accuracy under the benchmark's own frame minus under this one
    panel_right : right verdicts of the members' unweighted majority on supported and on hallucinated items
    """

    scores: Mapping[str, Scores]
    gains: Mapping[str, tuple[float, float]]
    panel_right: tuple[int, int]


@dataclass(frozen=True)
class Benchmark:
    """One benchmark as published.

    Attributes
    ----------
    clusters : (supported, hallucinated, number of clusters of that composition), as Table 18 allows
    scores : by checkpoint, members and the comparators that the benchmark is applicable to
    phi : (k, k) error correlations of the members in ascending order of checkpoint, diagonal 1
    average_member : 95% interval of the average member's kappa
    panel_minus_frontier : 95% interval of the stacked panel's kappa minus the frontier judge's
    second_frame : the second arms, None where there are none
    """

    title: str
    tier: str
    frame: str
    clusters: tuple[tuple[int, int, int], ...]
    scores: Mapping[str, Scores]
    phi: Floats
    average_member: tuple[float, float]
    panel_minus_frontier: tuple[float, float]
    second_frame: SecondFrame | None = None

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
    panel, beside = (json.loads(path.read_text(encoding="utf-8")) for path in (PANEL_FILE, BESIDE_FILE))
    return Targets(
        judges=tuple(Judge(**judge) for judge in (*panel["judges"], *beside["judges"])),
        benchmarks={
            name: _benchmark(entry, beside["benchmarks"][name]) for name, entry in panel["benchmarks"].items()
        },
    )


def _benchmark(value: Mapping[str, Any], beside: Mapping[str, Any]) -> Benchmark:
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
        scores=_scores(value["scores"]) | _scores(beside["scores"]),
        phi=phi,
        average_member=(value["average_member"][0], value["average_member"][1]),
        panel_minus_frontier=(value["panel_minus_frontier"][0], value["panel_minus_frontier"][1]),
        second_frame=_second_frame(beside["second_frame"]) if "second_frame" in beside else None,
    )


def _second_frame(value: Mapping[str, Any]) -> SecondFrame:
    return SecondFrame(
        scores=_scores(value["scores"]),
        gains={checkpoint: (low, high) for checkpoint, (low, high) in value["gains"].items()},
        panel_right=(value["panel_right"][0], value["panel_right"][1]),
    )


def _scores(values: Mapping[str, Any]) -> dict[str, Scores]:
    return {checkpoint: Scores(**scores) for checkpoint, scores in values.items()}
