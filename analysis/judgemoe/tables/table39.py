"""Offline best-of-N within clusters (paper, Table 39)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import METHOD_NAMES, number
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 39, "Offline best-of-N", "JudgeMoE, appendix B.2"
READS = ("behaviour",)


def build(derived: Derived) -> Table:
    """One row a cell whose clusters hold several candidates."""
    rows: list[list[Cell]] = []
    names: list[str] = []
    for name, cell in derived.read_suite("behaviour")["cells"].items():
        picks = cell["best_of_n"]
        names = list(picks)
        first = picks[names[0]]
        if first["groups"]:
            scores = [number(picks[method]["picked_score"]) for method in names]
            rows.append(
                [
                    name,
                    first["groups"],
                    number(first["mean_candidates"], decimals=2),
                    number(first["best_score"]),
                    *scores,
                ]
            )
    if not rows:
        raise Skip("no cluster of any cell has two items to choose between")
    header = ("Cell", "Groups", "Avg. cand.", "Best possible", *(METHOD_NAMES[name] for name in names))
    caption = "Mean human score of the item that each method picks from every test cluster."
    return Table("Table 39", caption, header, rows, derived.stamp)
