"""Validation-test rank stability (paper, Table 51)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import UNDEFINED, count, number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 51, "Rank stability of the subset search", "JudgeMoE, section 6.3"
READS = ("selection",)


def build(derived: Derived) -> Table:
    """One row a cell."""
    rows: list[list[Cell]] = []
    for name, cell in derived.read_suite("selection")["cells"].items():
        s = cell["subset"]
        scores = [number(s[key]) for key in ("rank_correlation", "validation", "test")]
        rows.append(
            [
                name,
                s["candidates"],
                *scores,
                count(s["test_rank"], UNDEFINED),
                f"{'+'.join(s['judges'])} ({s['kind']})",
            ]
        )
    header = (
        "Cell",
        "Candidates",
        "ρ(valid, test)",
        "Selected, valid",
        "Selected, test",
        "Test rank",
        "Selected",
    )
    caption = "Singles and all larger judge subsets under uniform and covariance-aware log pools, ranked by validation."
    return Table("Table 51", caption, header, rows, derived.stamp)
