"""The decision matrix applied to every cell (paper, Tables 4 and 24)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 4, "Validation-guided deployment choices", "JudgeMoE, section 6.1"
READS = ("selection",)


def build(derived: Derived) -> Table:
    """One row a cell: its signals, the choice and the reason."""
    rows: list[list[Cell]] = []
    for name, cell in derived.read_suite("selection")["cells"].items():
        validation, test = cell["families"]["validation"], cell["families"]["test"]
        decision = cell["decision"]
        rows.append(
            [
                name,
                number(cell["leave_one_out"]["gain"], decimals=3, signed=True),
                number(cell["residual_correlation"]["validation"], decimals=3),
                *(number(validation[family], decimals=3) for family in ("single", "fixed", "full", "sparse")),
                decision["choice"],
                number(test[decision["choice"]], decimals=3),
                decision["reason"],
            ]
        )
    header = (
        "Cell",
        "LOO gain",
        "Residual ρ",
        "Single",
        "Fixed",
        "Full",
        "Sparse",
        "Choice",
        "Test Sp.",
        "Reason",
    )
    groups = (("", 1), ("Validation", 6), ("", 3))
    caption = "What the decision matrix advises for each cell, from validation labels alone."
    return Table("Table 4", caption, header, rows, derived.stamp, groups=groups)
