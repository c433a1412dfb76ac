"""Strong single-judge follow-ups (paper, Table 38)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import UNDEFINED, number
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 38, "Strong single-judge follow-ups", "JudgeMoE, appendix B.2"
READS = ("comparison",)


def build(derived: Derived) -> Table:
    """One row an evaluator, cell and expert that was added to the pool there."""
    found = derived.read_suite("comparison").get("evaluators")
    if not found:
        raise Skip("it needs a large evaluator (Qwen2.5-72B) on the same items, which no input here has")
    rows: list[list[Cell]] = []
    for row in found:
        strong, homogeneous = row["spearman"], row["homogeneous"]
        for name, heterogeneous in (row["heterogeneous"] or {"none": None}).items():
            gains = [
                None if strong is None or pool is None else pool - strong
                for pool in (heterogeneous, homogeneous)
            ]
            reason = "no expert was added here" if name == "none" else UNDEFINED
            rows.append(
                [
                    row["cell"],
                    row["evaluator"],
                    row["n"],
                    number(strong),
                    number(row["best_single"]),
                    number(homogeneous),
                    name,
                    number(heterogeneous, reason=reason),
                    number(gains[0], signed=True, reason=reason),
                    number(gains[1], signed=True),
                ]
            )
    header = (
        "Setting",
        "Strong single",
        "n",
        "Strong Sp.",
        "Best single",
        "Hom. JudgeMoE",
        "With expert",
        "Het. JudgeMoE",
        "Δ Het.",
        "Δ Hom.",
    )
    caption = (
        "Test Spearman of a larger evaluator by itself and of the compact pool without and with an expert."
    )
    return Table("Table 38", caption, header, rows, derived.stamp)
