"""Illustrative items, chosen automatically (paper, Table 50)."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 50, "Illustrative items", "JudgeMoE, appendix B.2"
READS = ("behaviour",)


def build(derived: Derived) -> Table:
    """The item of each original cell on which JudgeMoE helps most, and the one of the suite on which it hurts most."""
    found = derived.read_suite("behaviour")
    cells = [found["cells"][name]["illustrations"] for name in derived.overview["original"]]
    chosen = [("+", cell["helps"]) for cell in cells if cell["helps"]["change"] > 0]
    worst = min((cell["hurts"] for cell in cells), key=lambda item: item["change"])
    chosen += [("-", worst)] if worst["change"] < 0 else []
    rows: list[list[Cell]] = [
        [
            sign,
            item["cell"],
            item["item"],
            *(number(item[key], decimals=3) for key in ("human", "method", "baseline")),
            item["top_judge"],
            _vector(item["judge_scores"]),
            _vector(item["gate_weights"]),
        ]
        for sign, item in chosen
    ]
    closer = found["closer"]
    note = (
        f"JudgeMoE is closer to the human score than cov-log on {closer['equal_cell']:.1%} of items by equal cells and "
        f"{closer['item_weighted']:.1%} by items ({closer['items']} items of the original cells)."
    )
    header = (
        "Type",
        "Cell",
        "Item",
        "Human",
        "JudgeMoE",
        "Cov-log",
        "Top gate",
        "Judge scores",
        "Gate weights",
    )
    caption = "Largest change of absolute error against cov-log: an item a cell that gains (+), and the worst loss (-)."
    return Table("Table 50", caption, header, rows, derived.stamp, footnotes=(note,))


def _vector(values: Sequence[float | None]) -> str:
    return "[" + ", ".join("—" if value is None else f"{value:.2f}" for value in values) + "]"
