"""A pool without and with its expert, pooled every way (paper, Table 35)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 35, "Pools without and with the expert", "JudgeMoE, appendix B.2"
READS = ("experts",)

_ROWS = {
    "judges": ("base_best_single", "base_uniform_log", "base_cov_log", "homogeneous"),
    "judges + expert": ("best_single", "with_uniform_log", "with_cov_log", "heterogeneous"),
}


def build(derived: Derived) -> Table:
    """Two rows an expert."""
    rows: list[list[Cell]] = []
    for name, study in derived.read_suite("experts").items():
        for title, keys in _ROWS.items():
            rows.append([name, title, *(number(study["test"][key]) for key in keys)])
    header = ("Follow-up", "Pool", "Best single", "Uniform log", "Cov-log", "JudgeMoE")
    caption = "Test Spearman before and after the expert joins the pool."
    return Table("Table 35", caption, header, rows, derived.stamp)
