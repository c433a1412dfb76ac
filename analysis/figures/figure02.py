"""Figure 2: single-member competence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.figures.order import by_competence
from analysis.figures.style import COLOURS, PAGE, literal, new_figure
from analysis.panel.roster import benchmark_title, frontier_judge, judge_title, of_judge
from analysis.pipeline.derived import Derived

NUMBER, NAME, SOURCE = 2, "Single-member competence", "RAIM, section 3"
READS = ("ladder", "judges")
_JITTER = 0.09
#: Distinct values that a density is drawn for.
_FEWEST = 5
_SERIES = {
    "stacked": ("stacked panel", COLOURS["blue"], "o", 5.0),
    "oracle": ("oracle best single", COLOURS["orange"], "s", 4.5),
    "frontier": ("frontier judge", COLOURS["vermilion"], "*", 8.0),
}


def draw(derived: Derived) -> Figure:
    """Members' kappas as strips and violins; the panel, its oracle single and the frontier judge with intervals."""
    ladders, _ = derived.read_each("ladder")
    frontier = of_judge(derived, "judges", frontier_judge(derived))
    names = by_competence(derived, ladders)
    figure = new_figure(PAGE, 2.8)
    axes = figure.subplots()
    rng = np.random.default_rng(0)
    for position, name in enumerate(names):
        _members(axes, position, ladders[name]["members"], rng)
        scores = {method: ladders[name]["methods"][method]["kappa"] for method in ("stacked", "oracle")}
        if name in frontier:
            scores["frontier"] = frontier[name]["kappa"]
        for number, (series, score) in enumerate(scores.items()):
            _mark(axes, position + 0.22 + 0.11 * number, score, series)
    axes.axhline(0, color="0.6", linewidth=0.6, zorder=0)
    axes.set_xticks(range(len(names)), [literal(benchmark_title(derived, name)) for name in names])
    axes.set_xlim(-0.5, len(names) - 0.35)
    axes.set_ylabel("Cohen's κ against gold")
    figure.legend(handles=_legend(derived, bool(frontier)), loc="outside upper center", ncols=4)
    return figure


def _members(axes: Axes, position: int, members: Mapping[str, Any], rng: np.random.Generator) -> None:
    kappas = np.array([entry["kappa"] for entry in members.values() if entry["kappa"] is not None])
    if len(np.unique(kappas)) >= _FEWEST:
        violins: Any = axes.violinplot(kappas, [position - 0.08], widths=0.5, showextrema=False)["bodies"]
        for violin in violins:
            violin.set(facecolor="0.75", edgecolor="none", alpha=0.6)
    jitter = rng.uniform(-_JITTER, _JITTER, len(kappas))
    axes.plot(position - 0.08 + jitter, kappas, "o", color="0.35", markersize=2.6, markeredgewidth=0)


def _mark(axes: Axes, x: float, score: Mapping[str, Any], series: str) -> None:
    if score["resample_mean"] is None:
        return
    _, colour, marker, size = _SERIES[series]
    axes.plot([x, x], [score["low"], score["high"]], color=colour, linewidth=0.8)
    axes.plot([x], [score["resample_mean"]], marker, color=colour, markersize=size, markeredgewidth=0)


def _legend(derived: Derived, with_frontier: bool) -> list[Line2D]:
    judge = frontier_judge(derived)
    handles = [Line2D([], [], linestyle="", marker="o", color="0.35", markersize=2.6, label="panel members")]
    for series, (label, colour, marker, size) in _SERIES.items():
        if series == "frontier":
            if not with_frontier or judge is None:
                label, marker = "no frontier judge in this suite", ""
            else:
                label = literal(f"frontier judge ({judge_title(derived, judge)})")
        handles.append(
            Line2D([], [], linestyle="", marker=marker, color=colour, markersize=size, label=label)
        )
    return handles
