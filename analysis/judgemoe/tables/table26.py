"""Sample-weighted summaries (paper, Table 26)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 26, "Sample-weighted summaries", "JudgeMoE, section 5.2"
READS = ("comparison",)


def build(derived: Derived) -> Table:
    """One row a set of original cells: all, and each dataset left out."""
    rows: list[list[Cell]] = []
    for name, subset in derived.read_suite("comparison")["weighted_subsets"].items():
        gaps = [subset[baseline] for baseline in ("best_single", "cov_log")]
        cells = [number(gap["difference"], signed=True, low=gap["low"], high=gap["high"]) for gap in gaps]
        rows.append([name, subset["cells"], number(subset["spearman"]), *cells])
    header = ("Cells", "Number", "Weighted Sp.", "Δ vs. single [95% CI]", "Δ vs. cov-log [95% CI]")
    caption = "JudgeMoE weighted by evaluated items; intervals are bootstrapped over cells."
    return Table("Table 26", caption, header, rows, derived.stamp)
