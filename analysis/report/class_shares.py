"""The stacked panel read for uneven classes, beside the plain reading, and where the classes call for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.panel.roster import benchmark_title
from analysis.pipeline.derived import Derived
from analysis.report.page import Section
from analysis.skip import Skip
from analysis.tables.cells import Cell, Number, difference, score
from analysis.tables.render import Table

_POINTS: dict[str, Any] = {"decimals": 1, "scale": 100.0}


def class_shares(derived: Derived) -> Section:
    """A warning for each benchmark whose classes are far from even, and both readings of all benchmarks."""
    try:
        values, skipped = derived.read_each("prevalence")
    except Skip as skip:
        return Section("class-shares", "Class shares", paragraphs=(f"There are no readings: {skip}.",))
    warnings = [
        f"{benchmark_title(derived, name)}: {entry['warning']}"
        for name, entry in values.items()
        if "warning" in entry
    ]
    table = Table(
        "",
        "The stacked panel as the paper reads it (plain: P > 0.5) and balanced (class-weighted or shifted, chosen "
        "in the training folds); bacc: balanced accuracy, %.",
        ("benchmark", "hallucinated %", "plain", "balanced", "Δ", "plain", "balanced", "Δ"),
        [_row(derived, name, entry) for name, entry in values.items()],
        derived.stamp,
        groups=(("", 2), ("κ", 3), ("bacc", 3)),
        footnotes=[
            "Means of the cluster resamples; Δ: balanced less plain, bold where its 95% interval excludes zero.",
            *(f"{benchmark_title(derived, name)} has none: {reason}." for name, reason in skipped.items()),
        ],
        origin="from */prevalence.json",
    )
    even = "No benchmark has classes that are far from even."
    return Section(
        "class-shares", "Class shares", () if warnings else (even,), points=tuple(warnings), grids=(table,)
    )


def _row(derived: Derived, name: str, entry: Mapping[str, Any]) -> list[Cell]:
    readings, delta = entry["readings"], entry["deltas"]["balanced-plain"]
    cells: list[Cell] = [
        benchmark_title(derived, name),
        Number(entry["prevalence"], reason="the benchmark has no items", **_POINTS),
    ]
    for metric, style in (("kappa", {}), ("balanced_accuracy", _POINTS)):
        cells += [score(readings[reading][metric], **style) for reading in ("plain", "balanced")]
        cells.append(difference(delta[metric], **style))
    return cells
