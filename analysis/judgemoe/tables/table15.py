"""Protocols selected on validation (paper, Table 15)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 15, "Held-out protocol study", "JudgeMoE, appendix B.2"
READS = ("protocol",)

_ROWS = {
    "validation": "Validation-selected protocol",
    "1-5 soft": "Fixed 1–5 soft",
    "1-10 soft": "Fixed 1–10 soft",
    "test": "Best protocol by test performance",
}


def build(derived: Derived) -> Table:
    """One row a selector."""
    selectors = derived.read_suite("protocol")["selectors"]
    rows: list[list[Cell]] = []
    for key, title in _ROWS.items():
        found = selectors[key]
        reason = found.get("reason", "no pairs")
        scores = [number(found[name], reason=reason) for name in ("equal_cell", "weighted")]
        rows.append([title, found["pairs"], *scores, ", ".join(found["scales"]) or "—"])
    header = ("Selector", "Pairs", "Equal-cell Sp.", "Weighted Sp.", "Ranges chosen")
    caption = "Test Spearman of single judges under the protocol that each selector picks, over dataset-judge pairs."
    return Table("Table 15", caption, header, rows, derived.stamp)
