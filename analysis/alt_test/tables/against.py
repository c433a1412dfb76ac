"""A suite's methods and members by winning rate and advantage probability, on every benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.panel.roster import benchmark_title, judge_title
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Cell, Number, Row
from analysis.tables.method_ladder import METHODS
from analysis.tables.render import Table

NOTES = (
    "ω: share of the (other) members against which H0 is rejected at ε = 0 and q = 0.05; bold: at least half.",
    "ρ: mean probability of being at least as near as a member.",
    "Tests: t-test on the sums of the differences by cluster; an abstention loses its item.",
)


def against_table(
    derived: Derived, label: str, caption: str, results: Mapping[str, Mapping[str, Any]], notes: list[str]
) -> Table:
    """One row a judge, two columns a benchmark; ``results`` are by benchmark and judge."""
    judges = list(dict.fromkeys(name for one in results.values() for name in one))
    rows: list[Row] = []
    for judge in judges:
        cells: list[Cell] = [METHODS.get(judge) or judge_title(derived, judge)]
        for one in results.values():
            cells += _pair(one.get(judge))
        rows.append(cells)
    titles = [benchmark_title(derived, name) for name in results]
    return Table(
        label,
        caption,
        ("judge", *(["ω", "ρ"] * len(titles))),
        rows,
        derived.stamp,
        groups=[("", 1), *((title, 2) for title in titles)],
        footnotes=[*NOTES, *notes],
    )


def _pair(entry: Mapping[str, Any] | None) -> list[Cell]:
    if entry is None:
        return [Number(None, reason="not in this benchmark's panel")] * 2
    robust = entry["cluster_robust"]
    if robust is None:
        return [Number(None, reason=entry["reason"])] * 2
    return [
        Number(robust["winning_rate"], decimals=2, bold=bool(robust["passes"]), reason=entry["reason"]),
        Number(entry["advantage_probability"], reason=entry["reason"]),
    ]
