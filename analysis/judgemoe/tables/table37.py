"""What role an expert plays (paper, Table 37)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 37, "Roles of experts", "JudgeMoE, appendix B.2"
READS = ("experts",)


def build(derived: Derived) -> Table:
    """One row an expert."""
    rows: list[list[Cell]] = []
    for name, study in derived.read_suite("experts").items():
        role = study["expert_role"]
        gains = [number(role[key], signed=True) for key in ("closer_than_homogeneous", "closer_than_single")]
        rows.append([name, study["expert"], *gains, number(role["top_gate_rate"])])
    header = (
        "Setting",
        "Expert",
        "Mean gain vs. hom. abs. error",
        "Mean gain vs. single abs. error",
        "Top-gate rate",
    )
    caption = "How much lower the absolute error of the pool with the expert is, and how often the expert weighs most."
    return Table("Table 37", caption, header, rows, derived.stamp)
