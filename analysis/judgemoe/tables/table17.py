"""Protocol-diverse pools (paper, Table 17)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 17, "Protocol-diverse pool", "JudgeMoE, appendix B.2"
READS = ("diversity",)


def build(derived: Derived) -> Table:
    """The default pool and the one with all styles of the same models."""
    found = derived.read_suite("diversity")
    rows: list[list[Cell]] = []
    for key, title in (("default", "Default style"), ("diverse", "All styles")):
        pool = found["pools"][key]
        wins = "—" if key == "default" else f"{found['diverse_wins']} / {len(found['cells'])}"
        rows.append([title, pool["judges"], number(pool["correlation"]), number(pool["judgemoe"]), wins])
    header = ("Pool", "Judges", "Mean ρ", "JudgeMoE Sp.", "Wins vs. default")
    caption = "Adding prompt styles of the same models to a pool: residual correlation and test Spearman of JudgeMoE."
    return Table("Table 17", caption, header, rows, derived.stamp)
