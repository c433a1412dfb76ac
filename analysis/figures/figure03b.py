"""Figure 3(b): the panel's paired differences."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.figures.order import by_competence
from analysis.figures.style import COLOURS, COLUMN, literal, new_figure
from analysis.panel.roster import benchmark_title, frontier_judge, judge_title, of_judge
from analysis.pipeline.derived import Derived

NUMBER, NAME, SOURCE = "3b", "The panel's paired differences", "RAIM, section 3.3"
READS = ("ladder", "frontier")
_SERIES = {
    "best_cv": ("CV-best single", COLOURS["blue"], "o"),
    "average_member": ("average member", COLOURS["green"], "s"),
    "frontier": ("frontier judge", COLOURS["vermilion"], "D"),
}
_STEP = 0.24


def draw(derived: Derived) -> Figure:
    """Stacked panel minus each comparator in kappa, with 95% paired intervals; filled where they exclude zero."""
    ladders, _ = derived.read_each("ladder")
    frontier = {
        name: entry["kappa"]["delta"]
        for name, entry in of_judge(derived, "frontier", frontier_judge(derived)).items()
        if "kappa" in entry
    }
    names = by_competence(derived, ladders)
    figure = new_figure(COLUMN, 0.9 + 0.36 * len(names))
    axes = figure.subplots()
    for row, name in enumerate(names):
        deltas = {
            other: ladders[name]["deltas"][f"stacked-{other}"]["kappa"]
            for other in ("best_cv", "average_member")
        }
        if name in frontier:
            deltas["frontier"] = frontier[name]
        for number, other in enumerate(_SERIES):
            delta = deltas.get(other)
            if delta is None or delta["resample_mean"] is None:
                continue
            _, colour, marker = _SERIES[other]
            y = row + (number - 1) * _STEP
            clear = delta["low"] > 0 or delta["high"] < 0
            axes.plot([delta["low"], delta["high"]], [y, y], color=colour, linewidth=0.9)
            axes.plot(
                [delta["resample_mean"]],
                [y],
                marker,
                color=colour,
                markerfacecolor=colour if clear else "white",
            )
    axes.axvline(0, color="0.4", linewidth=0.7, zorder=0)
    for row in range(len(names) - 1):
        axes.axhline(row + 0.5, color="0.9", linewidth=0.6, zorder=0)
    axes.set_yticks(range(len(names)), [literal(benchmark_title(derived, name)) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel("Δκ (stacked panel − comparator)")
    figure.legend(
        handles=_legend(derived, bool(frontier)), loc="outside upper center", ncols=2, columnspacing=1.0
    )
    return figure


def _legend(derived: Derived, with_frontier: bool) -> list[Line2D]:
    judge = frontier_judge(derived)
    handles = []
    for series, (label, colour, marker) in _SERIES.items():
        text = f"against {label}"
        if series == "frontier":
            there = with_frontier and judge is not None
            text = (
                literal(f"against {judge_title(derived, judge)}") if there and judge else "no frontier judge"
            )
            marker = marker if there else ""
        handles.append(Line2D([], [], linestyle="", marker=marker, color=colour, label=text))
    hollow = Line2D(
        [], [], linestyle="", marker="o", color="0.4", markerfacecolor="white", label="interval spans zero"
    )
    return [*handles, hollow]
