"""Sample efficiency (paper, Table 36)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 36, "Sample efficiency", "JudgeMoE, appendix B.2"
READS = ("efficiency",)


def build(derived: Derived) -> Table:
    """One row a cell: the least fractions of the training clusters that suffice."""
    found = derived.read_suite("efficiency")
    rows: list[list[Cell]] = []
    for name, cell in found.items():
        least = cell["least"]
        reasons = {"above_single": "no fraction beats the single judge"}
        fractions = [
            number(
                least[key],
                decimals=2,
                reason=reasons.get(key, "the full gate gains nothing over the single judge"),
            )
            for key in ("above_single", "gain_0.9", "gain_0.95")
        ]
        rows.append(
            [
                name,
                number(cell["best_single"]),
                number(cell["full"]),
                number(cell["gain"], signed=True),
                *fractions,
            ]
        )
    header = (
        "Cell",
        "Best single",
        "Full JudgeMoE",
        "Δ",
        "Least > single",
        "Least ≥ 90% gain",
        "Least ≥ 95% gain",
    )
    tried = ", ".join(f"{row['fraction']:g}" for row in next(iter(found.values()))["fractions"])
    caption = f"Least fraction of the training clusters that suffices, of {tried}."
    return Table("Table 36", caption, header, rows, derived.stamp)
