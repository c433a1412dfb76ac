"""Learned-aggregation selection (paper, Table 13)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import variant_rows
from analysis.pipeline.derived import Derived
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 13, "Learned-aggregation selection", "JudgeMoE, appendix B.2"
READS = ("architectures",)

_ROWS = {
    "linear_log": "Linear + log pool",
    "ffn_linear": "FFN + linear pool",
    "low_rank_log": "Low-rank linear + log",
    "deepsets_log": "DeepSets + log pool",
    "deepsets_log_tempered": "DeepSets + log, T = 0.7",
    "compact": "Compact pool, T = 0.7",
}


def build(derived: Derived) -> Table:
    """One row a variant."""
    header, rows = variant_rows(derived.read_suite("architectures")["selection"], _ROWS)
    caption = "Equal-cell test Spearman of gates and pools; T = 1 but for the tempered rows."
    return Table("Table 13", caption, header, rows, derived.stamp)
