"""Gate by pool, over seeds (paper, Table 14)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 14, "Gate and pooling, two by two", "JudgeMoE, appendix B.2"
READS = ("architectures",)


def build(derived: Derived) -> Table:
    """One row a gate and pool: mean and standard deviation over seeds."""
    found = derived.read_suite("architectures")["gate_by_pool"]
    rows: list[list[Cell]] = []
    for gate, title in (("ffn", "FFN"), ("deepsets", "DeepSets")):
        for pool in ("linear", "log"):
            values = found[f"{gate}_{pool}"]
            deviation = number(values["deviation"], reason="one seed")
            rows.append([title, f"{pool} pooling", number(values["mean"]), deviation, len(values["seeds"])])
    header = ("Gate", "Pool", "Mean Sp.", "SD over seeds", "Seeds")
    caption = "Equal-cell test Spearman under a separate 30-epoch schedule; T = 0.7 where the pool has a temperature."
    return Table("Table 14", caption, header, rows, derived.stamp)
