"""Feature ablation (paper, Table 18)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import variant_rows
from analysis.pipeline.derived import Derived
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 18, "Feature ablation", "JudgeMoE, appendix B.2"
READS = ("access",)

_ROWS = {
    "full": "Full",
    "distribution_scores": "Distribution + scores",
    "distribution": "Distribution only",
}


def build(derived: Derived) -> Table:
    """One row a variant."""
    header, rows = variant_rows(derived.read_suite("access")["ablation"], _ROWS)
    caption = "Equal-cell test Spearman of DeepSets with log pooling at T = 0.7, by what the gate sees."
    return Table("Table 18", caption, header, rows, derived.stamp)
