"""The regime plane: where each benchmark lies, and how far the thresholds may move before a call changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.panel.roster import benchmark_title, judge_title
from analysis.pipeline.derived import Derived
from analysis.report.page import Section
from analysis.skip import Skip
from analysis.tables.cells import Cell, Number
from analysis.tables.render import Table

_CALLS = {True: "admissible", False: "not admissible", None: "undecided"}


def plane(derived: Derived) -> Section:
    """The coordinates and calls of the benchmarks, and the region of thresholds in which none changes side."""
    try:
        values = derived.read_suite("regime_plane")
    except Skip as skip:
        return Section("plane", "The regime plane", paragraphs=(f"There is none: {skip}.",))
    bars = values["thresholds"]
    rule = (
        f"A panel is admissible where at least {bars['share']:.0%} of its members reach kappa {bars['kappa']:g} and "
        f"the mean correlation of their errors is at most {bars['phi']:g}."
    )
    sentences = [
        rule,
        *_stability(values["stability"]),
        *(
            f"Not on the plane: {benchmark_title(derived, name)}, {why}."
            for name, why in values["left_out"].items()
        ),
    ]
    table = Table(
        "",
        "Coordinates of the regime plane. n_eff: independent votes that the panel is worth.",
        ("benchmark", "members", "competent", "required", "φ̄", "n_eff", "call", "leading member"),
        [_row(derived, name, entry) for name, entry in values["benchmarks"].items()],
        derived.stamp,
        origin="from regime_plane.json",
    )
    return Section("plane", "The regime plane", paragraphs=tuple(sentences), grids=(table,))


def _row(derived: Derived, name: str, entry: Mapping[str, Any]) -> list[Cell]:
    reason = "no pair of members can be read"
    return [
        benchmark_title(derived, name),
        entry["members"],
        entry["competent"],
        entry["required"],
        Number(entry["phi_bar"], reason=reason),
        Number(entry["n_eff"], decimals=2, reason=reason),
        _CALLS[entry["admissible"]],
        "none" if entry["leader"] is None else judge_title(derived, entry["leader"]),
    ]


def _stability(stability: Mapping[str, Any]) -> list[str]:
    """How far each threshold may move alone, the others kept."""
    parts = []
    for name, key in (("mean error correlation", "phi_bracket"), ("kappa", "kappa_bracket")):
        bracket: Sequence[float | None] | None = stability.get(key)
        if bracket is not None:
            low, high = bracket
            ends = [f"from {low:.3f}"] if low is not None else []
            ends += [f"to {high:.3f}"] if high is not None else []
            parts.append(f"that on {name} {' '.join(ends) or 'anywhere'}")
    return [f"One threshold may move without a change of any call: {'; '.join(parts)}."] if parts else []
