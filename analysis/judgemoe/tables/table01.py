"""Sizes of the datasets (paper, Table 1)."""

from __future__ import annotations

from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 1, "Datasets", "JudgeMoE, section 4"
READS = ("data",)


def build(derived: Derived) -> Table:
    """One row a cell."""
    rows: list[list[Cell]] = [
        [
            d["dataset"],
            d["scale"],
            d["items"],
            d["clusters"],
            len(d["judges"]),
            d["score_source"].replace("_", " "),
        ]
        for d in derived.read_suite("data").values()
    ]
    header = ("Dataset", "Scale", "Items", "Clusters", "Judges", "Score source")
    return Table("Table 1", "Cells: datasets at a score range.", header, rows, derived.stamp)
