"""Per-judge gate behaviour (paper, Table 52)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 52, "Per-judge gate behaviour", "JudgeMoE, appendix B.2"
READS = ("behaviour",)


def build(derived: Derived) -> Table:
    """One row a judge of each cell."""
    rows: list[list[Cell]] = []
    notes = []
    for name, cell in derived.read_suite("behaviour")["cells"].items():
        for judge in cell["judges"]:
            values = [number(judge[key], decimals=3) for key in ("spearman", "mae", "mean_gate")]
            rows.append([name, judge["judge"], *values, number(judge["top_rate"], decimals=1, scale=100.0)])
        if cell["quality_gate_correlation"] is not None:
            notes.append(f"{name}: {cell['quality_gate_correlation']:.2f}")
    header = ("Cell", "Judge", "Judge Sp.", "MAE", "Mean gate", "Top-gate, %")
    caption = "Quality of each judge on test and what the mainline gate makes of it."
    note = (
        "Rank correlation of judge Spearman and mean gate (over judges only, a readout): "
        + "; ".join(notes)
        + "."
    )
    return Table("Table 52", caption, header, rows, derived.stamp, footnotes=(note,))
