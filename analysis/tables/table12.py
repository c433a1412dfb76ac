"""Table 12: purpose-trained judges beside the panel and the frontier judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.cells import Cell, Number, score
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 12, "Purpose-trained judges", "RAIM, appendix G"
READS = ("judges", "ladder")


def build(derived: Derived) -> Table:
    """Kappa of each purpose-trained judge, of the stacked panel, of its best single member and of the frontier."""
    judges, _ = derived.read_each("judges")
    overview = derived.overview
    named = {
        role: [
            name
            for name, member in overview["roster"].items()
            if member["role"] == role and any(name in here for here in judges.values())
        ]
        for role in ("purpose_trained", "frontier")
    }
    trained = named["purpose_trained"]
    if not trained:
        raise Skip("the suite has no purpose-trained judge")
    rows: list[list[Cell]] = []
    for name in derived.benchmarks:
        entry = overview["benchmarks"][name]
        methods = derived.read(name, "ladder")["methods"]
        here = judges.get(name, {})
        rows.append(
            [
                entry["title"],
                *(_kappa(here, judge, entry) for judge in trained),
                score(methods["stacked"]["kappa"]),
                score(methods["best_cv"]["kappa"]),
                *(_kappa(here, judge, entry) for judge in named["frontier"]),
            ]
        )
    roster = overview["roster"]
    frontier = [roster[name]["tag"] for name in named["frontier"]]
    return Table(
        f"Table {NUMBER}",
        "Purpose-trained judges off their home benchmark, against the panel and the frontier judge: Cohen's κ.",
        ("benchmark", *(roster[name]["tag"] for name in trained), "stacked", "best single (CV)", *frontier),
        rows,
        derived.stamp,
        groups=(
            ("", 1),
            ("purpose-trained judge", len(trained)),
            ("panel", 2),
            *((("frontier", len(frontier)),) if frontier else ()),
        ),
        footnotes=(f"Coverage of the purpose-trained judges: {_coverage(judges, trained)}.",),
    )


def _kappa(here: Mapping[str, Any], judge: str, benchmark: Mapping[str, Any]) -> Number:
    if judge in here:
        return score(here[judge]["kappa"])
    return Number(None, reason=benchmark["left_out"].get(judge, "not judged"))


def _coverage(judges: Mapping[str, Mapping[str, Any]], names: list[str]) -> str:
    values = [here[name]["coverage"] for here in judges.values() for name in names if name in here]
    low, high = f"{min(values):.3f}", f"{max(values):.3f}"
    return low if low == high else f"{low} to {high}"
