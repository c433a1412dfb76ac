"""Figure 9: open-judge scaling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.figures.order import by_competence
from analysis.figures.style import COLOURS, PAGE, literal, new_figure
from analysis.panel.roster import benchmark_title, frontier_judge, judge_title, judges
from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 9, "Open-judge scaling against the frontier judge", "RAIM, appendix H"
READS = ("ladder", "judges")
_PANEL = (COLOURS["blue"], "o", 5.0)
_FRONTIER = (COLOURS["vermilion"], "*", 8.0)
#: Larger open judges in roster order, smallest first.
_LARGER = ((COLOURS["green"], "v", 5.0), (COLOURS["green"], "^", 5.0), (COLOURS["green"], "P", 5.0))
_STEP = 0.16

Mark = tuple[str, str, float]


def draw(derived: Derived) -> Figure:
    """Kappa with its interval of the panel, of each larger open judge, joined in order of size, and of the frontier."""
    ladders, _ = derived.read_each("ladder")
    larger = judges(derived, ("larger",))
    if not larger:
        raise Skip("the suite has no larger open judge")
    if len(larger) > len(_LARGER):
        raise Skip(f"the suite has more than {len(_LARGER)} larger open judges")
    values, _ = derived.read_each("judges")
    frontier = frontier_judge(derived)
    marks: dict[str, Mark] = dict(zip(larger, _LARGER, strict=False))
    if frontier is not None:
        marks[frontier] = _FRONTIER
    names = by_competence(derived, ladders)
    figure = new_figure(PAGE, 2.7)
    axes = figure.subplots()
    for position, name in enumerate(names):
        left = position - _STEP * len(marks) / 2
        _mark(axes, left, ladders[name]["methods"]["stacked"]["kappa"], _PANEL)
        found = values.get(name, {})
        places = {judge: left + _STEP * (number + 1) for number, judge in enumerate(marks)}
        centres = [
            (places[judge], found[judge]["kappa"]["resample_mean"])
            for judge in larger
            if judge in found and found[judge]["kappa"]["resample_mean"] is not None
        ]
        axes.plot(
            *zip(*centres, strict=True), color=COLOURS["green"], linewidth=0.7, linestyle=":"
        ) if centres else None
        for judge, mark in marks.items():
            if judge in found:
                _mark(axes, places[judge], found[judge]["kappa"], mark)
    axes.axhline(0, color="0.6", linewidth=0.6, zorder=0)
    axes.set_xticks(range(len(names)), [literal(benchmark_title(derived, name)) for name in names])
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylabel("Cohen's κ against gold")
    labels = {"stacked panel": _PANEL, **{judge_title(derived, judge): mark for judge, mark in marks.items()}}
    handles = [
        Line2D([], [], linestyle="", marker=marker, color=colour, markersize=size, label=literal(label))
        for label, (colour, marker, size) in labels.items()
    ]
    if frontier is None:
        handles.append(Line2D([], [], linestyle="", label="no frontier judge in this suite"))
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    return figure


def _mark(axes: Axes, x: float, score: Mapping[str, Any], mark: Mark) -> None:
    if score["resample_mean"] is None:
        return
    colour, marker, size = mark
    axes.plot([x, x], [score["low"], score["high"]], color=colour, linewidth=0.8)
    axes.plot([x], [score["resample_mean"]], marker, color=colour, markersize=size, markeredgewidth=0)
