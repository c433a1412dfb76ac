"""Validation-only subset selection (paper, Table 23)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import strategy_rows
from analysis.pipeline.derived import Derived
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 23, "Validation-only subset selection", "JudgeMoE, section 6.1"
READS = ("selection",)

_ROWS = {
    "always_single": "Best single (validation-selected)",
    "always_fixed": "Full fixed pool",
    "always_full": "Full JudgeMoE",
    "subset_fixed": "Validation-selected subset, fixed",
    "family_with_subset": "Validation-selected family",
    "family_with_subset_by_test": "Best family by test performance",
}


def build(derived: Derived) -> Table:
    """One row a strategy."""
    found = derived.read_suite("selection")
    header, rows = strategy_rows(found["strategies"], _ROWS)
    caption = (
        "All judge subsets under uniform and covariance-aware log pools, chosen by validation labels alone."
    )
    note = f"The selected fixed subset has {found['mean_subset_size']:.2f} judges on average."
    return Table("Table 23", caption, header, rows, derived.stamp, footnotes=(note,))
