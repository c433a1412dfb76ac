"""The second additional dataset (paper, Table 33)."""

from __future__ import annotations

from analysis.judgemoe.tables.additional import additional_table
from analysis.pipeline.derived import Derived
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 33, "Additional cells, second dataset", "JudgeMoE, appendix B.2"
READS = ("comparison",)


def build(derived: Derived) -> Table:
    """Its cells and the means with the original ones."""
    return additional_table(derived, "Table 33", 1)
