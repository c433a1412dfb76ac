"""Joint training with the ranking loss (paper, Table 42)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 42, "Pairwise auxiliary loss", "JudgeMoE, appendix B.5"
READS = ("pairwise",)

_ROWS = {
    "direct": "0 (direct)",
    "joint_0.1": "0.1",
    "joint_0.5": "0.5",
    "joint_1": "1.0",
    "pair_only": "pair only",
}


def build(derived: Derived) -> Table:
    """One row a weight."""
    found = derived.read_suite("pairwise")
    base = found["mean"]["direct"]["accuracy"]
    rows: list[list[Cell]] = []
    for key, title in _ROWS.items():
        mean = found["mean"][key]
        gain = None if mean["accuracy"] is None or base is None else mean["accuracy"] - base
        rows.append([title, number(mean["spearman"]), number(mean["accuracy"]), number(gain, signed=True)])
    preferences = found.get("preferences")
    note = (
        f"Pairs are the human preferences of {', '.join(preferences)}; scores are those of all original cells together."
        if preferences
        else "Pairs are items of one cluster whose human scores differ, for want of human preferences."
    )
    header = ("λ", "Direct Sp.", "Pair acc.", "Δ pair acc.")
    caption = f"The pool {', '.join(found['judges'])} trained on scores and pairs; mean of {len(found['cells'])} cells."
    return Table("Table 42", caption, header, rows, derived.stamp, footnotes=(note,))
