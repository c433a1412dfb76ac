"""Table 13: the panel, larger open judges and the frontier judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.panel.roster import benchmark_title, by_tier, judge_title, judges, panel_notes
from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.cells import Cell, Heading, Number, Row, difference, score
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 13, "Panel, larger open judges and frontier judge", "RAIM, appendix H"
READS = ("ladder", "judges", "frontier", "substitution")
_ABSENT = "not judged on this benchmark"


def build(derived: Derived) -> Table:
    """Kappas, and the panel's paired differences from each judge in both metrics."""
    if not judges(derived, ("larger", "frontier")):
        raise Skip("the suite has neither a frontier judge nor a larger open judge")
    paired, _ = derived.read_each("frontier")
    levels, _ = derived.read_each("judges")
    there = {name for one in paired.values() for name in one}
    compared = [*judges(derived, ("larger",), there), *judges(derived, ("frontier",), there)]
    titles = {name: judge_title(derived, name) for name in compared}
    rows: list[Row] = []
    for tier, names in by_tier(derived, list(paired)).items():
        rows.append(Heading(tier))
        for name in names:
            stacked = derived.read(name, "ladder")["methods"]["stacked"]["kappa"]
            row: list[Cell] = [benchmark_title(derived, name), score(stacked)]
            for judge in compared:
                row += _judge(levels.get(name, {}).get(judge), paired[name].get(judge))
            rows.append(row)
    return Table(
        f"Table {NUMBER}",
        "The stacked panel, the larger open judges and the frontier judge; each dataset under its own frame.",
        ("dataset", "κ", *("κ", "Δκ", "Δbacc") * len(compared)),
        rows,
        derived.stamp,
        groups=(("", 1), ("stacked panel", 1), *((titles[judge], 3) for judge in compared)),
        footnotes=[
            "Δ: paired difference (panel − judge) on the items that both have a verdict on; bacc in points.",
            "Brackets: 95% cluster-bootstrap interval of the difference; bold where it excludes zero.",
            *_kept(derived.read_suite("substitution"), titles),
            *panel_notes(derived, list(paired)),
        ],
    )


def _judge(level: Mapping[str, Any] | None, paired: Mapping[str, Any] | None) -> list[Cell]:
    if level is None or paired is None:
        return [Number(None, reason=_ABSENT)] * 3
    if "kappa" not in paired:
        return [score(level["kappa"]), *[Number(None, reason=paired["reason"])] * 2]
    return [
        score(level["kappa"]),
        difference(paired["kappa"]["delta"], interval=True),
        difference(paired["balanced_accuracy"]["delta"], interval=True, decimals=1, scale=100.0),
    ]


def _kept(substitution: Mapping[str, Any], titles: Mapping[str, str]) -> list[str]:
    notes = []
    for judge, title in titles.items():
        entry = substitution[judge]
        kept, difference_ = entry["kappa_kept"]["median"], entry["balanced_accuracy_difference"]["mean"]
        if kept is not None and difference_ is not None:
            points = Number(difference_, 1, 100.0, signed=True).text()
            notes.append(
                f"Against {title}, over {entry['n_benchmarks']} benchmarks: the panel keeps a median {kept:.0%} of κ; "
                f"balanced accuracy differs by {points} points on average."
            )
    return notes
