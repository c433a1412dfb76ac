"""Per-judge behaviour of a trained gate (paper, Table 52)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.metrics.calibration import mae
from analysis.judgemoe.metrics.spearman import spearman


@dataclass(frozen=True)
class JudgeBehaviour:
    """One judge: its own quality, and what the gate makes of it.

    ``mean_gate`` is its mean weight over the items it judged; ``top_rate`` the share of all items on which it has the
    highest weight.
    """

    judge: str
    spearman: float
    mae: float
    mean_gate: float
    top_rate: float


def judge_behaviour(cell: Cell, weights: Floats) -> list[JudgeBehaviour]:
    """Table 52 for a cell and the gate's (n, m) weights on it."""
    soft = soft_scores(cell)
    top = np.bincount(weights.argmax(axis=1), minlength=len(cell.judges)) / len(weights)
    return [
        JudgeBehaviour(
            judge,
            spearman(soft[:, j], cell.targets),
            mae(soft[:, j], cell.targets),
            float(weights[cell.present[:, j], j].mean()) if cell.present[:, j].any() else float("nan"),
            float(top[j]),
        )
        for j, judge in enumerate(cell.judges)
    ]


def quality_gate_correlation(rows: list[JudgeBehaviour]) -> float:
    """Rank correlation between the judges' Spearman and their mean gate; a handful of judges, so a readout only."""
    return spearman(np.array([row.spearman for row in rows]), np.array([row.mean_gate for row in rows]))
