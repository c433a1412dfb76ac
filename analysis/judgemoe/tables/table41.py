"""Seed stability (paper, Table 41)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 41, "Seed stability", "JudgeMoE, appendix B.4"
READS = ("architectures",)


def build(derived: Derived) -> Table:
    """The mainline and the compact pool over the seeds."""
    found = derived.read_suite("architectures")["seeds"]
    rows: list[list[Cell]] = [
        [
            title,
            number(found[key]["mean"]),
            number(found[key]["deviation"], reason="one seed"),
            number(found[key]["gain"], signed=True),
            ", ".join(str(seed) for seed in found[key]["seeds"]),
        ]
        for key, title in (("mainline", "Mainline, all judges"), ("compact", "Compact pool"))
    ]
    header = ("Setting", "Mean Sp.", "Std.", "Δ vs. single", "Seeds")
    return Table("Table 41", "Equal-cell test Spearman over training seeds.", header, rows, derived.stamp)
