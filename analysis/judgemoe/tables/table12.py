"""Temperature sensitivity (paper, Table 12)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import variant_rows
from analysis.pipeline.derived import Derived
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 12, "Temperature sensitivity", "JudgeMoE, appendix B.2"
READS = ("architectures",)

_ROWS = {"1": "T = 1.0", "0.7": "T = 0.7", "1.3": "T = 1.3"}


def build(derived: Derived) -> Table:
    """One row a variant."""
    header, rows = variant_rows(derived.read_suite("architectures")["temperatures"], _ROWS)
    caption = (
        "Equal-cell test Spearman of DeepSets with log pooling by temperature; a win is the highest of three."
    )
    return Table("Table 12", caption, header, rows, derived.stamp)
