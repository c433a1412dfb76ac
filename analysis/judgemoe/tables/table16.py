"""Prompt styles (paper, Table 16)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 16, "Prompt-style protocol check", "JudgeMoE, appendix B.2"
READS = ("styles",)


def build(derived: Derived) -> Table:
    """One row a style; the default first."""
    found = derived.read_suite("styles")
    rows: list[list[Cell]] = []
    for style in found["styles"]:
        wins = "—" if style["wins"] is None else f"{style['wins']}/{style['rows']}"
        rows.append([style["style"], style["rows"], number(style["mean"]), wins])
    note = f"A non-default style is best in {found['non_default_best']} of {len(found['rows'])} rows."
    header = ("Style", "Rows", "Avg. soft Sp.", "Wins vs. default")
    caption = "Soft-score Spearman by prompt style; a row is a model on a cell, over all its items."
    return Table("Table 16", caption, header, rows, derived.stamp, footnotes=(note,))
