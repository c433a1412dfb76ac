"""Test and validation Spearman of gates, the unit of the ablations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.judgemoe.cell import TEST, Cell
from analysis.judgemoe.gates.forward import gate_predict
from analysis.judgemoe.gates.parameters import Training
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.selectors.singles import judge_spearmans
from analysis.judgemoe.statistics.cells import equal_cell_mean
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.values import plain


def gate_score(
    gates: GateBook, cell: Cell, training: Training, *, judges: Sequence[str] | None = None, split: int = TEST
) -> float:
    """Spearman of a gate on a split of its cell."""
    part = cell.split(split)
    return spearman(gate_predict(gates.gate(cell, training, judges=judges), part), part.targets)


def strongest_single(cell: Cell) -> float:
    """Test Spearman of the strongest judge of the cell; NaN where none is defined."""
    scores = judge_spearmans(cell.split(TEST))
    return float(np.nanmax(scores)) if np.isfinite(scores).any() else float("nan")


def variant_rows(scores: Mapping[str, Mapping[str, float]], singles: Mapping[str, float]) -> dict[str, Any]:
    """Per variant: cells, equal-cell mean, mean gain over the strongest single, cells in which none is higher.

    ``scores`` is ``{variant: {cell: Spearman}}``, ``singles`` the strongest single judge by cell.
    """
    out = {}
    cells = list(singles)
    best = {
        cell: max(round(float(np.nan_to_num(scores[v][cell], nan=-np.inf)), 10) for v in scores)
        for cell in cells
    }
    for variant, by_cell in scores.items():
        values = np.array([by_cell[cell] for cell in cells])
        gains = values - np.array([singles[cell] for cell in cells])
        out[variant] = {
            "cells": len(cells),
            "mean": plain(equal_cell_mean(values)),
            "gain": plain(equal_cell_mean(gains)),
            "wins": sum(
                round(by_cell[cell], 10) == best[cell] for cell in cells if np.isfinite(by_cell[cell])
            ),
            "by_cell": {cell: plain(by_cell[cell]) for cell in cells},
        }
    return out
