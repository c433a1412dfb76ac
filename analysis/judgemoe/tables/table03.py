"""Heterogeneous experts and what validation decides (paper, Table 3)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 3, "Heterogeneous follow-ups", "JudgeMoE, section 5.3"
READS = ("experts",)


def build(derived: Derived) -> Table:
    """One row an expert."""
    rows: list[list[Cell]] = []
    for name, study in derived.read_suite("experts").items():
        test = study["test"]
        columns = ("homogeneous", "heterogeneous", "repaired", "standalone", "base_best_single", "deployed")
        rows.append([name, test["n"], *(number(test[column]) for column in columns), study["decision"]])
    header = (
        "Follow-up",
        "n",
        "Hom. JudgeMoE",
        "Het. JudgeMoE",
        "Repaired",
        "Expert alone",
        "Best judge",
        "Deployed",
        "Decision",
    )
    caption = (
        "Test Spearman of a pool with an expert added; the decision is taken by validation labels alone."
    )
    return Table("Table 3", caption, header, rows, derived.stamp)
