"""Validation-only strategy selection (paper, Table 22)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import strategy_rows
from analysis.pipeline.derived import Derived
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 22, "Validation-only strategy selection", "JudgeMoE, appendix B.2"
READS = ("selection",)

_ROWS = {
    "always_single": "Best single (validation-selected)",
    "always_fixed": "Always fixed pool",
    "always_full": "Always full JudgeMoE",
    "always_sparse": "Always sparse variant",
    "family_by_validation": "Best family by validation performance",
    "leave_one_cell_out": "Thresholded rule, leave-one-cell-out",
    "rule": "Thresholded rule, the paper's thresholds",
    "family_by_test": "Best family by test performance",
}


def build(derived: Derived) -> Table:
    """One row a strategy."""
    header, rows = strategy_rows(derived.read_suite("selection")["strategies"], _ROWS)
    caption = (
        "Test Spearman over the original cells of what each strategy deploys, by validation labels alone."
    )
    return Table("Table 22", caption, header, rows, derived.stamp)
