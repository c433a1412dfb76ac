"""Pairwise gains by cell (paper, Table 43)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 43, "Pairwise gains by cell", "JudgeMoE, appendix B.5"
READS = ("pairwise",)


def build(derived: Derived) -> Table:
    """One row a cell, direct against joint training at λ = 0.5."""
    rows: list[list[Cell]] = [
        [
            name,
            cell["test_pairs"],
            *(number(cell["variants"][key]["accuracy"]) for key in ("direct", "joint_0.5")),
        ]
        for name, cell in derived.read_suite("pairwise")["cells"].items()
    ]
    header = ("Cell", "Test pairs", "Base acc.", "Joint acc.")
    caption = "Pair accuracy on test of direct and joint training (λ = 0.5)."
    return Table("Table 43", caption, header, rows, derived.stamp)
