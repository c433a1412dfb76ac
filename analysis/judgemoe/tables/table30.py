"""Power of the comparisons over cells (paper, Table 30)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import METHOD_NAMES, number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell, Number
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 30, "Power note", "JudgeMoE, appendix B.2"
READS = ("comparison",)


def build(derived: Derived) -> Table:
    """One row a baseline; the published suite has the printed moments beside those of its cells."""
    comparison = derived.read_suite("comparison")
    cells = comparison["summary"]["original"]["cells"]
    sources = {"cells": comparison["summary"]["original"]["power"]}
    if "printed_power" in comparison:
        sources["printed mean and SD"] = comparison["printed_power"]
    rows: list[list[Cell]] = []
    for source, notes in sources.items():
        for baseline, note in notes.items():
            reason = note.get("reason", "")
            needed = note["cells"] if note["cells"] is not None else Number(None, reason=reason)
            values = [number(note[key], reason=reason) for key in ("mean", "deviation")]
            strength = number(note["power"], reason=reason, decimals=2)
            rows.append([f"vs. {METHOD_NAMES[baseline]}", source, *values, strength, needed])
    header = ("Comparison", "From", "Mean Δ", "SD Δ", f"Power @{cells}", "Cells for 80%")
    caption = "First-order power: one-sided test at 0.05, normal approximation, observed mean and deviation over cells."
    return Table("Table 30", caption, header, rows, derived.stamp)
