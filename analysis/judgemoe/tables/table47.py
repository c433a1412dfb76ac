"""The third additional dataset (paper, Table 47)."""

from __future__ import annotations

from analysis.judgemoe.tables.additional import additional_table
from analysis.pipeline.derived import Derived
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 47, "Additional cells, third dataset", "JudgeMoE, appendix B.2"
READS = ("comparison",)


def build(derived: Derived) -> Table:
    """Its cells and the means with the original ones."""
    return additional_table(derived, "Table 47", 2)
