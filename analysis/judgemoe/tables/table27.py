"""Per-cell paired bootstrap against the best single judge (paper, Table 27)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import count, entry, number, spearman
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 27, "Per-cell significance", "JudgeMoE, section 5.2"
READS = ("comparison",)


def build(derived: Derived) -> Table:
    """One row an original cell; a dagger marks gains with p < 0.05 whose interval excludes 0."""
    cells = derived.read_suite("comparison")["cells"]
    rows: list[list[Cell]] = []
    positive = significant = 0
    for name in derived.overview["original"]:
        cell = cells[name]
        gap = cell["differences"]["best_single"]
        defined = gap["estimate"] is not None and gap["p_value"] is not None
        gain = defined and gap["estimate"] > 0
        strong = gain and gap["p_value"] < 0.05 and gap["low"] > 0
        positive, significant = positive + bool(gain), significant + bool(strong)
        scores = [spearman(cell, method) for method in ("judgemoe", "best_single")]
        delta = entry(gap, signed=True, mark="†" if strong else "")
        rows.append([name, count(cell["n"]), *scores, delta, number(gap["p_value"])])
    header = ("Cell", "n", "JudgeMoE", "Best single", "Δ [95% CI]", "p")
    caption = (
        "Paired bootstrap over clusters within each original cell, JudgeMoE less the strongest single judge."
    )
    note = (
        f"Positive in {positive} of {len(rows)} cells; significantly (†: p < 0.05 and the interval excludes 0) "
        f"in {significant}."
    )
    return Table("Table 27", caption, header, rows, derived.stamp, footnotes=(note,))
