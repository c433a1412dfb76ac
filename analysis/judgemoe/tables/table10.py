"""Settings of the mainline gate (paper, Tables 10 and 40)."""

from __future__ import annotations

from dataclasses import asdict

from analysis.judgemoe.gates.parameters import HIDDEN, Training
from analysis.judgemoe.pools.log import EPSILON
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 10, "Settings", "JudgeMoE, appendix B.2"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> Table:
    """The values that the code holds."""
    values = {
        **asdict(Training()),
        "hidden units": HIDDEN,
        "epsilon": f"{EPSILON:g}",
        "optimiser": "Adam",
        "loss": "Huber",
    }
    rows: list[list[Cell]] = [[name.replace("_", " "), str(value)] for name, value in values.items()]
    caption = "Settings of the mainline gate; the seed sweep adds 17 and 29."
    return Table("Table 10", caption, ("Setting", "Value"), rows, derived.stamp)
