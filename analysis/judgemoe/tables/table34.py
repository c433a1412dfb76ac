"""Paired bootstrap of the heterogeneous pools (paper, Table 34)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import entry, number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 34, "Significance of heterogeneous follow-ups", "JudgeMoE, appendix B.2"
READS = ("experts",)

_RIGHT = {"best_single": "best single", "uniform_log": "uniform log", "homogeneous": "hom. JudgeMoE"}


def build(derived: Derived) -> Table:
    """Three rows an expert."""
    rows: list[list[Cell]] = []
    for name, study in derived.read_suite("experts").items():
        for key, title in _RIGHT.items():
            gap = study["differences"][key]
            sides = [number(gap[side]) for side in ("left", "right")]
            rows.append(
                [
                    name,
                    f"Het. JudgeMoE vs. {title}",
                    *sides,
                    entry(gap, signed=True),
                    number(gap["p_value"]),
                    gap["n"],
                ]
            )
    header = ("Setting", "Comparison", "Left", "Right", "Δ [95% CI]", "p", "n")
    caption = (
        "Paired bootstrap over clusters; left and right are test Spearman. Best single includes the expert."
    )
    return Table("Table 34", caption, header, rows, derived.stamp)
