"""Failure and recovery: sparse repair (paper, Table 53)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 53, "Sparse repair", "JudgeMoE, section 6.3"
READS = ("selection", "comparison")


def build(derived: Derived) -> Table:
    """One row a cell."""
    compared = derived.read_suite("comparison")["cells"]
    rows: list[list[Cell]] = []
    for name, cell in derived.read_suite("selection")["cells"].items():
        drops, families = cell["leave_one_out"], cell["families"]["test"]
        rows.append(
            [
                name,
                number(compared[name]["methods"]["best_single"]["spearman"]["estimate"]),
                number(drops["test_full"]),
                number(drops["test_without_worst"], reason="no judge's removal gains on validation"),
                drops["worst"] or "—",
                number(cell["sparse_pool"]["test"]),
                number(families["full"]),
                number(families["sparse"]),
                "+".join(cell["families"]["sparse_judges"]),
            ]
        )
    header = (
        "Cell",
        "Best single",
        "Uniform log",
        "Without one",
        "Dropped",
        "Sparse log pool",
        "Full JudgeMoE",
        "Sparse JudgeMoE",
        "Sparse judges",
    )
    caption = "Removing judges by validation and retraining: test Spearman."
    return Table("Table 53", caption, header, rows, derived.stamp)
