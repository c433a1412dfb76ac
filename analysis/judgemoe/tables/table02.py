"""Main baseline comparisons over the original cells (paper, Table 2)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import METHOD_NAMES, number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 2, "Main baseline comparisons", "JudgeMoE, section 5.1"
READS = ("comparison",)


def build(derived: Derived) -> Table:
    """One row a baseline, over the original cells and, where there are additional ones, over all."""
    summary = derived.read_suite("comparison")["summary"]
    rows: list[list[Cell]] = []
    for group in ("original", "all"):
        for baseline, found in summary[group]["comparisons"].items():
            if group == "all" and summary["all"]["cells"] == summary["original"]["cells"]:
                continue
            reason = found.get("reason", "no cells")
            rows.append(
                [
                    METHOD_NAMES[baseline],
                    f"{group} cells",
                    found["cells"],
                    number(found["baseline"], reason=reason),
                    number(found["method"], reason=reason),
                    number(
                        found["difference"], reason=reason, signed=True, low=found["low"], high=found["high"]
                    ),
                    found["positive"],
                    number(found["p_one_sided"], reason=reason),
                    number(found["p_two_sided"], reason=reason),
                ]
            )
    header = (
        "Baseline",
        "Over",
        "Cells",
        "Baseline Sp.",
        "JudgeMoE",
        "Δ [95% CI]",
        "Δ > 0",
        "p one-sided",
        "p two-sided",
    )
    caption = (
        "JudgeMoE against its baselines: equal-cell mean Spearman. Intervals are bootstrapped over cells; p-values are "
        "exact paired Wilcoxon signed-rank tests over cells, without multiplicity correction. Best single is the "
        "strongest judge within each cell."
    )
    note = "A cell that lacks one of the two scores is left out; the column Cells counts those compared."
    return Table("Table 2", caption, header, rows, derived.stamp, footnotes=(note,))
