"""Table 9: F1 of the hallucinated class, published and measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.panel.roster import benchmark_title, judge_title, panel_notes
from analysis.pipeline.derived import Derived
from analysis.published import read_published
from analysis.tables.cells import Cell, Heading, Number, Row, score
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 9, "F1 of the hallucinated class", "RAIM, appendix F"
READS = ("external_f1",)
_NOT_REPORTED = "not reported"


def build(derived: Derived) -> Table:
    """Per benchmark the published systems, then the best member by F1, the panel and the frontier judges."""
    values, _ = derived.read_each("external_f1")
    published = read_published("f1")
    rows: list[Row] = []
    for name, entry in values.items():
        title = benchmark_title(derived, name)
        slice_ = published["benchmarks"][name]
        rows.append(
            Heading(f"{title}: published, on {slice_['slice']} (prevalence {slice_['prevalence']:.3f})")
        )
        rows += [_published(row) for row in slice_["rows"]]
        rows.append(Heading(f"{title}: measured on this suite (prevalence {entry['prevalence']:.3f})"))
        rows += _measured(derived, entry)
    return Table(
        f"Table {NUMBER}",
        "F1 of the hallucinated class in percent, an abstention counting as a missed detection.",
        ("system", "kind", "F1", "at the published prevalence", "coverage", "source"),
        rows,
        derived.stamp,
        footnotes=[
            f"Published rows: {published['source']}.",
            "Slices differ, and F1 moves with prevalence: the blocks of a benchmark license no ranking.",
            "at the published prevalence: the same recall and false-positive rate at the published slice's prevalence.",
            "Measured rows: on the sample, with the 95% cluster-bootstrap interval.",
            *panel_notes(derived, list(values)),
        ],
    )


def _published(row: Mapping[str, Any]) -> list[Cell]:
    missing = Number(None, reason=_NOT_REPORTED)
    return [row["system"], row["kind"], Number(row["f1"], 1), missing, missing, row["source"]]


def _measured(derived: Derived, entry: Mapping[str, Any]) -> list[Row]:
    defined = {name: one for name, one in entry["members"].items() if one["estimate"] is not None}
    rows: list[Row] = []
    if defined:
        # The release breaks a tie by tag.
        best = max(defined, key=lambda name: (defined[name]["estimate"], judge_title(derived, name)))
        rows.append(_row(f"best member by F1: {judge_title(derived, best)}", "single member", defined[best]))
    rows.append(_row("unweighted panel", "panel", entry["panel"]["unweighted"]))
    rows.append(_row("stacked panel", "panel", entry["panel"]["stacked"]))
    rows += [_row(judge_title(derived, name), "frontier", one) for name, one in entry["frontier"].items()]
    return rows


def _row(title: str, kind: str, entry: Mapping[str, Any]) -> list[Cell]:
    moved = Number(entry["at_published_prevalence"], 1, 100.0, reason=entry.get("reason", ""))
    f1 = score(entry, "estimate", interval=True, decimals=1, scale=100.0)
    return [title, kind, f1, moved, Number(entry["coverage"]), "this suite"]
