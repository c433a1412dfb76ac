"""The deployment rule, one cell left out at a time (paper, Table 21)."""

from __future__ import annotations

from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 21, "Leave-one-cell-out deployment rule", "JudgeMoE, appendix B.2"
READS = ("selection",)


def build(derived: Derived) -> Table:
    """One row a held-out cell with the thresholds that the other cells gave."""
    found = derived.read_suite("selection")
    if not found["folds"]:
        raise Skip("leaving a cell out needs two original cells")
    fixed = {name: cell["rule"] for name, cell in found["cells"].items()}
    rows: list[list[Cell]] = [
        [
            fold["cell"],
            fold["best"],
            fold["selected"],
            "yes" if fold["correct"] else "no",
            f"{fold['rule']['gain']:g} / {fold['rule']['correlation']:g} / {fold['rule']['margin']:+g}",
            fixed[fold["cell"]],
        ]
        for fold in found["folds"]
    ]
    right = sum(fold["correct"] for fold in found["folds"])
    right_fixed = sum(fold["best"] == fixed[fold["cell"]] for fold in found["folds"])
    note = (
        f"The swept rule matches the best test family in {right} of {len(rows)} cells, the paper's thresholds "
        f"(0.14 / 0.5 / +0) in {right_fixed}."
    )
    header = (
        "Cell",
        "Best test family",
        "Selected",
        "Correct",
        "Gain / ρ / margin",
        "By the paper's thresholds",
    )
    caption = "Thresholds are swept on the other cells and applied to the held-out one."
    return Table("Table 21", caption, header, rows, derived.stamp, footnotes=(note,))
