"""Figure 3(a): the regime plane, with the region of thresholds in which no benchmark changes side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from analysis.figures.labels import place_labels
from analysis.figures.style import COLOURS, COLUMN, literal, new_figure
from analysis.pipeline.derived import Derived

NUMBER, NAME, SOURCE = "3a", "The regime plane", "RAIM, section 3.3"
READS = ("ladder", "regime_plane")
#: By the reading of stacked - CV-best: marker, colour, filled.
_READINGS = {
    "clear improvement": ("o", COLOURS["blue"], True),
    "unresolved improvement": ("o", COLOURS["blue"], False),
    "no difference": ("D", COLOURS["black"], False),
    "unresolved worsening": ("v", COLOURS["vermilion"], False),
    "clear worsening": ("v", COLOURS["vermilion"], True),
    None: ("x", COLOURS["black"], True),
}
_GOLD = "#B8860B"


def draw(derived: Derived) -> Figure:
    """Benchmarks by φ̄ and competent members; thresholds, the admissible quadrant, the invariance region."""
    plane = derived.read_suite("regime_plane")
    entries = plane["benchmarks"]
    sizes = {entry["members"] for entry in entries.values()}
    # Panels of one size are counted; of different sizes, a share of the panel is what compares.
    unit = float(next(iter(sizes))) if len(sizes) == 1 else 1.0
    figure = new_figure(COLUMN, 3.5)
    axes = figure.subplots()
    points = {
        name: (entry["phi_bar"], entry["competent"] / entry["members"] * unit)
        for name, entry in entries.items()
    }
    left = min(0.0, *(x for x, _ in points.values())) - 0.06
    right = max(0.9, *(x for x, _ in points.values())) + 0.08
    axes.set_xlim(left, right)
    axes.set_ylim(-0.12 * unit, 1.06 * unit)
    thresholds = plane["thresholds"]
    bar, count = thresholds["phi"], thresholds["share"] * unit
    axes.add_patch(
        Rectangle((left, count), bar - left, 2 * unit, color=_GOLD, alpha=0.13, linewidth=0, zorder=0)
    )
    for cell in plane["stability"]["cells"]:
        _hatch(axes, cell, unit)
    axes.axvline(bar, color=_GOLD, linewidth=1.0, zorder=1)
    axes.axhline(count, color=_GOLD, linewidth=1.0, zorder=1)
    axes.plot([bar], [count], marker="o", color=_GOLD, markersize=5, zorder=2)
    readings = {name: _reading(derived, name) for name in entries}
    for name, (x, y) in points.items():
        marker, colour, filled = _READINGS[readings[name]]
        axes.plot(
            [x],
            [y],
            marker,
            color=colour,
            markerfacecolor=colour if filled else "white",
            markersize=6,
            zorder=4,
        )
    axes.set_xlabel("mean pairwise error correlation φ̄")
    unit_name = "members" if unit > 1 else "share of members"
    axes.set_ylabel(f"{unit_name} at κ ≥ κ₀ = {thresholds['kappa']:.2f}")
    if unit > 1:
        axes.set_yticks(range(0, int(unit) + 1, max(1, int(unit) // 10)))
    figure.legend(handles=_legend(readings), loc="outside upper center", ncols=2)
    titles = [literal(derived.overview["benchmarks"][name]["title"]) for name in entries]
    place_labels(axes, list(points.values()), titles, avoid_x=(bar,), avoid_y=(count,))
    return figure


def _hatch(axes: Axes, cell: Mapping[str, Any], unit: float) -> None:
    """One cell of the invariance region; where it is unbounded, to the edge of the axes."""
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    low = x0 if cell["phi_from"] is None else cell["phi_from"]
    high = x1 if cell["phi_below"] is None else cell["phi_below"]
    bottom = y0 if cell["share_above"] is None else cell["share_above"] * unit
    top = y1 if cell["share_to"] is None else cell["share_to"] * unit
    axes.add_patch(
        Rectangle(
            (low, bottom),
            high - low,
            top - bottom,
            facecolor="none",
            edgecolor="0.62",
            hatch="////",
            linewidth=0,
            zorder=0.5,
        )
    )


def _reading(derived: Derived, name: str) -> str | None:
    reading: str | None = derived.read(name, "ladder")["deltas"]["stacked-best_cv"]["kappa"]["reading"]
    return reading


def _legend(readings: Mapping[str, str | None]) -> list[Line2D | Patch]:
    """The markers in use, the quadrant and the hatching."""
    handles: list[Line2D | Patch] = [
        Line2D(
            [],
            [],
            linestyle="",
            marker=marker,
            color=colour,
            markerfacecolor=colour if filled else "white",
            label=reading or "undefined",
        )
        for reading, (marker, colour, filled) in _READINGS.items()
        if reading in readings.values()
    ]
    return [
        *handles,
        Patch(facecolor=_GOLD, alpha=0.25, label="admissible"),
        Patch(facecolor="none", edgecolor="0.62", hatch="////", linewidth=0, label="no call changes"),
    ]
