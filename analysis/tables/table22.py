"""Table 22: coverage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.panel.coverage_gate import flagged
from analysis.panel.roster import benchmark_title, judge_title, judges, sample_notes
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Heading, Number, Row
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 22, "Per-member coverage", "RAIM, appendix K"
READS = ()
OUTSIDE = ("frontier", "larger", "purpose_trained")


def build(derived: Derived) -> Table:
    """Share of the items with a verdict, by judge and benchmark; members first, then the judges outside the panel."""
    benchmarks, gate = derived.overview["benchmarks"], derived.overview["coverage_gate"]
    names = derived.benchmarks
    rows: list[Row] = []
    outside = judges(derived, OUTSIDE)
    for heading, group in (("members", judges(derived)), ("judges outside the panel", outside)):
        rows += [Heading(heading)] if outside else []
        rows += [
            [judge_title(derived, judge), *(_cell(judge, benchmarks[name], gate) for name in names)]
            for judge in group
        ]
    votes = [entry for name in names for entry in benchmarks[name]["members"].values()]
    total = sum(entry["n_total"] for entry in votes)
    abstained = total - sum(entry["n_scored"] for entry in votes)
    return Table(
        f"Table {NUMBER}",
        "Coverage, the fraction of items on which a judge returned a verdict; each dataset under its own frame.",
        ("judge", *(benchmark_title(derived, name) for name in names)),
        rows,
        derived.stamp,
        footnotes=[
            f"bold: below {gate:g}, the suite's coverage gate; {_flags(derived)}.",
            f"The panels abstain on {abstained:,} of {total:,} votes ({abstained / total:.1%}).",
            "The CSV has the items with a verdict, the items in all, and the items without a record (missing).",
            *sample_notes(derived, names),
        ],
    )


def _flags(derived: Derived) -> str:
    found = flagged(derived.overview)
    cells = [
        f"{judge_title(derived, one.judge)} on {benchmark_title(derived, one.benchmark)} ({one.share:.3f})"
        for one in found
    ]
    return f"flagged, and counted like the others: {', '.join(cells)}" if cells else "no judge is flagged"


def _cell(judge: str, benchmark: Mapping[str, Any], gate: float) -> Number:
    total = benchmark["n_items"]
    missing = total - benchmark["judged"][judge]
    entry = {**benchmark["members"], **benchmark["comparators"]}.get(judge)
    if entry is None and missing:
        details = {"n_scored": None, "n_total": total, "missing": missing}
        return Number(None, reason=benchmark["left_out"][judge], details=details)
    scored = 0 if entry is None else entry["n_scored"]
    return Number(
        scored / total,
        bold=scored / total < gate,
        details={"n_scored": scored, "n_total": total, "missing": missing},
    )
