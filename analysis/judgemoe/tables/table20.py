"""Residual correlation of judges (paper, Table 20)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 20, "Residual correlation", "JudgeMoE, section 6.1"
READS = ("selection",)


def build(derived: Derived) -> Table:
    """One row a cell, after the average over the original ones."""
    cells = derived.read_suite("selection")["cells"]
    values = {name: cell["residual_correlation"] for name, cell in cells.items()}
    original = [values[name] for name in derived.overview["original"]]
    rows: list[list[Cell]] = [
        [f"Average ({len(original)} original cells)", *(_mean(original, k) for k in ("full", "compact"))]
    ]
    reason = "fewer than two judges, or constant errors"
    rows += [
        [name, *(number(v[k], reason=reason) for k in ("full", "compact"))] for name, v in values.items()
    ]
    header = ("Cell", "All judges", "Compact pool")
    caption = (
        "Mean off-diagonal Pearson correlation of judge errors (soft score less human score), over all items."
    )
    return Table("Table 20", caption, header, rows, derived.stamp)


def _mean(rows: list[dict[str, float | None]], key: str) -> Cell:
    defined = [value for row in rows if (value := row[key]) is not None]
    return number(sum(defined) / len(defined) if defined else None, reason="no defined cell")
