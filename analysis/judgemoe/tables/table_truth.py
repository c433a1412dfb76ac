"""Against the truth of simulated cells: T*, routing, bad judges (appendix B.7; not a table of the paper)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = "S1", "Simulated truth", "JudgeMoE, appendix B.7"
READS = ("truth", "comparison")


def build(derived: Derived) -> Table:
    """One row a cell."""
    compared = derived.read_suite("comparison")["cells"]
    rows: list[list[Cell]] = []
    for name, cell in derived.read_suite("truth").items():
        rows.append(
            [
                name,
                cell["n"],
                number(cell["optimal_temperature"], decimals=3),
                number(cell["estimated_temperature"], decimals=3),
                "yes" if cell["exact_model"] else "no",
                number(cell["right_judge_rate"], decimals=3, reason="no judge specialises"),
                _weights(cell["reversed_judges"]),
                _weights(cell["flat_judges"]),
                number(compared[name]["methods"]["judgemoe"]["spearman"]["estimate"], decimals=3),
                number(cell["bayes_spearman"], decimals=3),
            ]
        )
    header = (
        "Cell",
        "n",
        "T*",
        "Estimated T",
        "Equation 19 holds",
        "Gate routes right",
        "Weight of reversed judges",
        "Weight of flat judges",
        "JudgeMoE Sp.",
        "Best possible Sp.",
    )
    note = (
        "T* = mean of 1/tau is the best temperature where equation 19 holds; errors in location move the estimate away "
        "from it. Gate routes right: share of test items on which the judge that understands the item weighs most."
    )
    caption = "What is there to be found in each simulated cell, and what the methods find."
    return Table("Table S1", caption, header, rows, derived.stamp, footnotes=(note,))


def _weights(judges: dict[str, float]) -> str:
    return ", ".join(f"{judge} {weight:.3f}" for judge, weight in judges.items()) or "—"
