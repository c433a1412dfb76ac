"""First-order compute (paper, Table 49)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 49, "Inference-compute proxy", "JudgeMoE, appendix B.2"
READS = ("compute",)


def build(derived: Derived) -> Table:
    """One row a system."""
    found = derived.read_suite("compute")
    rows: list[list[Cell]] = [
        [
            row["system"],
            number(row["parameters"], decimals=1),
            number(row["relative"], decimals=2),
            number(row["petaflops"], decimals=1),
        ]
        for row in found["rows"]
    ]
    header = ("System", "Active parameters, billions a token", f"Relative to {found['reference']}", "PFLOPs")
    caption = (
        f"Active parameters as a proxy of compute; PFLOPs for {found['tokens']:,} processed tokens a judge."
    )
    return Table("Table 49", caption, header, rows, derived.stamp)
