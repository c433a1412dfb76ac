"""Which items and judges a suite's numbers rest on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.panel.roster import ROLES, benchmark_title, judge_title, judges, panel_notes
from analysis.pipeline.derived import Derived
from analysis.report.page import Section
from analysis.tables.cells import Cell, Number
from analysis.tables.render import Table

_BESIDE = ROLES[1:]


def panels(derived: Derived) -> Section:
    """Items, clusters, members and coverage of each benchmark, and the judges beside the panel."""
    overview = derived.overview
    rows = [_row(derived, name, overview["benchmarks"][name]) for name in derived.benchmarks]
    table = Table(
        "",
        "Panels: the items of each benchmark, the members whose votes make its panel, and the share of items that "
        "they committed on.",
        (
            *("benchmark", "items", "clusters", "hallucinated %", "members", "left out"),
            *("least coverage", "member", "judges beside the panel"),
        ),
        rows,
        derived.stamp,
        footnotes=panel_notes(derived, derived.benchmarks),
        origin="from overview.json",
    )
    members, beside = judges(derived), judges(derived, _BESIDE)
    sentences = [f"{len(members)} members: {', '.join(judge_title(derived, name) for name in members)}."]
    if beside:
        names = ", ".join(
            f"{judge_title(derived, name)} ({overview['roster'][name]['role'].replace('_', ' ')})"
            for name in beside
        )
        sentences.append(f"Judges beside the panel: {names}.")
    return Section("panels", "Panels and coverage", paragraphs=tuple(sentences), grids=(table,))


def _row(derived: Derived, name: str, entry: Mapping[str, Any]) -> list[Cell]:
    members = entry["members"]
    coverage = {member: one["n_scored"] / one["n_total"] for member, one in members.items()}
    least = min(coverage, key=lambda member: coverage[member]) if coverage else None
    return [
        benchmark_title(derived, name),
        entry["n_items"],
        entry["n_clusters"],
        Number(entry["prevalence"], decimals=1, scale=100.0),
        len(members),
        len(
            [member for member in entry["left_out"] if derived.overview["roster"][member]["role"] == "member"]
        ),
        Number(None if least is None else coverage[least], reason="the panel has no member"),
        "" if least is None or coverage[least] == 1 else judge_title(derived, least),
        _beside(derived, entry["comparators"]),
    ]


def _beside(derived: Derived, comparators: Mapping[str, Any]) -> str:
    """The single judges by name; second arms and the probe's checkpoints by number."""
    roster = derived.overview["roster"]
    parts = [judge_title(derived, judge) for judge in judges(derived, _BESIDE, among=comparators)]
    for what, role in (("second arms", "def_on"), ("of the probe", "probe")):
        number = sum(roster[judge]["role"].startswith(role) for judge in comparators)
        parts += [f"{number} {what}"] if number else []
    return ", ".join(parts) or "none"
