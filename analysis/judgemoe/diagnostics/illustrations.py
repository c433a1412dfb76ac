"""Items on which learned aggregation helps or hurts most, chosen automatically (paper, Table 50)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.metrics.ties import snapped


@dataclass(frozen=True)
class Illustration:
    """One item: ``change`` is the baseline's absolute error less the method's, positive where the method helps."""

    cell: str
    item: str
    human: float
    method: float
    baseline: float
    change: float
    top_judge: str
    judge_scores: tuple[float, ...]
    gate_weights: tuple[float, ...]


def largest_change(
    cell: Cell, method: Floats, baseline: Floats, weights: Floats, *, helps: bool
) -> Illustration:
    """The item of largest change in one direction, the first among equals. ``weights`` is (n, m), the gate's."""
    change = np.abs(baseline - cell.targets) - np.abs(method - cell.targets)
    signed = snapped(change if helps else -change)
    i = int(np.nanargmax(signed))
    return Illustration(
        cell=cell.name,
        item=cell.items[i],
        human=float(cell.targets[i]),
        method=float(method[i]),
        baseline=float(baseline[i]),
        change=float(change[i]),
        top_judge=cell.judges[int(np.nanargmax(weights[i]))],
        judge_scores=tuple(soft_scores(cell.take(np.array([i])))[0].tolist()),
        gate_weights=tuple(weights[i].tolist()),
    )


def closer_rate(method: Floats, baseline: Floats, targets: Floats) -> tuple[float, int]:
    """Share of items on which the method is closer to the human score than the baseline, and how many were compared."""
    both = np.isfinite(method) & np.isfinite(baseline)
    if not both.any():
        return float("nan"), 0
    closer = snapped(np.abs(method - targets))[both] < snapped(np.abs(baseline - targets))[both]
    return float(closer.mean()), int(both.sum())
