"""ECE by dataset (paper, Table 29)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import METHOD_NAMES, number
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.cells import Cell, Number
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 29, "Calibration by dataset", "JudgeMoE, appendix B.2"
READS = ("comparison",)

_METHODS = ("judgemoe", "best_single", "uniform_log", "cov_log")


def build(derived: Derived) -> Table:
    """One row an original dataset, averaged over its scales."""
    cells = derived.read_suite("comparison")["cells"]
    original = [cells[name] for name in derived.overview["original"]]
    rows: list[list[Cell]] = []
    for dataset in dict.fromkeys(cell["dataset"] for cell in original):
        row: list[Cell] = [dataset]
        for method in _METHODS:
            scores = [c["methods"][method]["ece"]["estimate"] for c in original if c["dataset"] == dataset]
            defined = [score for score in scores if score is not None]
            row.append(
                number(sum(defined) / len(defined) if defined else None, reason="undefined on every scale")
            )
        rows.append(row)
    if not any(isinstance(cell, Number) and cell.value is not None for row in rows for cell in row):
        raise Skip("the paper publishes no calibration by cell, and no cell has one")
    header = ("Dataset", *(METHOD_NAMES[method] for method in _METHODS))
    return Table("Table 29", "ECE by dataset, averaged over its scales.", header, rows, derived.stamp)
