"""Calibration of final predictions (paper, Table 28)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import METHOD_NAMES, number
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 28, "Calibration of final scores", "JudgeMoE, section 5.2"
READS = ("comparison",)


def build(derived: Derived) -> Table:
    """One row a system."""
    summary = derived.read_suite("comparison")["summary"]["original"]
    if all(value is None for value in summary["ece"].values()):
        raise Skip("the paper publishes no calibration by cell, and no cell has one")
    rows: list[list[Cell]] = [
        [
            METHOD_NAMES[m],
            *(number(summary[metric][m], reason="undefined in every cell") for metric in ("ece", "mae")),
        ]
        for m in ("judgemoe", "best_single", "uniform_log", "cov_log")
    ]
    caption = "Equal-cell ECE (10 equal-width bins) and mean absolute error of predictions on [0, 1]; lower is better."
    return Table("Table 28", caption, ("System", "ECE", "MAE"), rows, derived.stamp)
