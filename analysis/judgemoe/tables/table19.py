"""Levels of access to judge outputs (paper, Table 19)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 19, "Levels of access to judge outputs", "JudgeMoE, section 6.4"
READS = ("access",)

_ROWS = {
    "hard": "Hard score only",
    "soft": "Soft score only",
    "scores": "Hard and soft scores",
    "summaries": "Probability-derived scalar summaries",
}
_TESTS = {
    "soft_beside_hard": "Hard and soft against hard alone",
    "summaries_beside_scores": "Summaries against hard and soft",
}


def build(derived: Derived) -> Table:
    """One row an access level; the tests of section 6.4 are footnotes."""
    found = derived.read_suite("access")
    rows: list[list[Cell]] = [
        [
            title,
            number(found["levels"][key]["mean"]),
            number(found["levels"][key]["deviation"], reason="one seed"),
        ]
        for key, title in _ROWS.items()
    ]
    notes = [
        f"{title}: {found[key]['difference']:+.4f} over {found[key]['cells']} cells, one-sided Wilcoxon p = "
        f"{found[key]['p_one_sided']:.4f}."
        for key, title in _TESTS.items()
        if found[key]["cells"]
    ]
    header = ("Input features", "Mean Sp.", "SD over seeds")
    caption = "Equal-cell test Spearman of gates that see and weigh scores, not distributions."
    return Table("Table 19", caption, header, rows, derived.stamp, footnotes=notes)
