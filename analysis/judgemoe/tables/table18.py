"""Feature ablation (paper, Table 18)."""

from __future__ import annotations

from analysis.derived import Derived
from analysis.judgemoe.tables.parts import number
from analysis.tables.cells import Cell
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
    variants = derived.read_suite("access")["ablation"]
    rows: list[list[Cell]] = [
        [
            title,
            number(variants[key]["mean"]),
            number(variants[key]["gain"], signed=True),
            variants[key]["wins"],
        ]
        for key, title in _ROWS.items()
    ]
    cells = next(iter(variants.values()))["cells"]
    header = ("Variant", "Avg. Sp.", "Δ vs. single", f"Wins / {cells}")
    caption = "Equal-cell test Spearman of DeepSets with log pooling at T = 0.7, by what the gate sees."
    return Table("Table 18", caption, header, rows, derived.stamp)
