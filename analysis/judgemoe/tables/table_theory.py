"""Propositions 6 and 7 on every cell (appendix B.7; not a table of the paper)."""

from __future__ import annotations

from analysis.judgemoe.tables.parts import number
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = "S2", "Temperature and information", "JudgeMoE, appendix B.7"
READS = ("theory",)


def build(derived: Derived) -> Table:
    """One row a cell."""
    rows: list[list[Cell]] = []
    for name, cell in derived.read_suite("theory").items():
        reason = cell.get("reason", "")
        bounds = cell["bounds"] or {}
        variance = cell.get("target_variance")
        shares = [
            number(
                None if not bounds else bounds[key] / variance,
                reason=reason or "constant targets",
                decimals=4,
            )
            for key in ("entropy", "confidence", "maximum")
        ]
        temperature = number(cell["temperature"], decimals=3, reason=reason)
        chance = number(cell.get("chance_share"), reason=reason)
        rows.append([name, cell["n"], temperature, *shares, chance])
    header = ("Cell", "n", "Estimated T", "Entropy", "Confidence", "Maximum", "By chance")
    groups = (("", 3), ("Bound on the gap, share of target variance", 4))
    caption = (
        "Temperature of least squared error of the uniform log pool, and what mean judge entropy, confidence and "
        "maximum probability add to the expected score (equation 24, within deciles of the pooled expected score)."
    )
    note = (
        "With two labels the expected score is the distribution: the gap is 0. A statistic that says nothing gets "
        "about the share by chance. A temperature at 0.05 or 20, the ends of the search, is not determined by the data."
    )
    return Table("Table S2", caption, header, rows, derived.stamp, groups=groups, footnotes=(note,))
