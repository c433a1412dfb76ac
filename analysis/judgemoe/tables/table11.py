"""Every cell of the main comparison (paper, Table 11)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import METHOD_NAMES, spearman
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 11, "Per-dataset breakdown", "JudgeMoE, appendix B.2"
READS = ("comparison",)

_METHODS = (
    "judgemoe",
    "judgemoe_compact",
    "best_single",
    "valid_single",
    "uniform_linear",
    "uniform_log",
    "cov_log",
)


def build(derived: Derived) -> Table:
    """One row an original cell; the highest score of a row is bold."""
    cells = derived.read_suite("comparison")["cells"]
    rows: list[list[Cell]] = []
    for name in derived.overview["original"]:
        cell = cells[name]
        scores = [spearman(cell, method) for method in _METHODS]
        best = max((round(score.value, 4) for score in scores if score.value is not None), default=None)
        bold = [
            spearman(cell, method, bold=score.value is not None and round(score.value, 4) == best)
            for method, score in zip(_METHODS, scores, strict=True)
        ]
        rows.append([cell["dataset"], cell["scale"], *bold, cell["singles"]["best_single"]])
    header = ("Dataset", "Scale", *(METHOD_NAMES[method] for method in _METHODS), "Best judge")
    caption = "Test Spearman of the main systems on each original cell. Bold: highest of the row."
    return Table("Table 11", caption, header, rows, derived.stamp)
