"""Figure 6: the two budgets a deployer sets, how many members and how many labelled records."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, NullLocator

from analysis.figures.order import by_competence
from analysis.figures.style import COLOURS, PAGE, grid_shape, literal, new_figure
from analysis.pipeline.derived import Derived

NUMBER, NAME, SOURCE = 6, "Panel size and calibration budget", "RAIM, appendices B and C"
READS = ("panel_size", "learning_curve")
#: A budget at which the single judge has no kappa: filled where the vote is beaten, and nothing is said of the single.
_UNRIVALLED = "^"
_STACKED, _SINGLE, _VOTE = COLOURS["blue"], COLOURS["vermilion"], COLOURS["black"]


def draw(derived: Derived) -> Figure:
    """(a) Kappa against the number of members; (b) against the labelled records the stacker is fitted on."""
    sizes, _ = derived.read_each("panel_size")
    curves, _ = derived.read_each("learning_curve")
    names = by_competence(derived, set(sizes) & set(curves))
    titles = [literal(derived.overview["benchmarks"][name]["title"]) for name in names]
    lines, _ = grid_shape(len(names))
    figure = new_figure(PAGE, 2 * (1.45 * lines + 0.65))
    upper, lower = np.ravel(np.asarray(figure.subfigures(2, 1)))
    for axes, name in zip(_grid(upper, titles), names, strict=True):
        _size(axes, sizes[name]["sizes"])
    for axes, name in zip(_grid(lower, titles), names, strict=True):
        _budget(axes, curves[name])
    upper.supxlabel("(a) members K, in a greedy decorrelating order", fontsize=8)
    lower.supxlabel("(b) labelled records the stacker is fitted on", fontsize=8)
    for part in (upper, lower):
        part.supylabel("Cohen's κ", fontsize=8)
    upper.legend(handles=_size_legend(), loc="outside upper center", ncols=3)
    unrivalled = any(
        point["best_single"]["mean"] is None and point["stacked"]["mean"] is not None
        for name in names
        for point in curves[name]["budgets"].values()
    )
    lower.legend(handles=_budget_legend(unrivalled=unrivalled), loc="outside upper center", ncols=4)
    return figure


def _grid(part: SubFigure, titles: Sequence[str]) -> list[Axes]:
    grid = part.subplots(*grid_shape(len(titles)), squeeze=False, sharey=False)
    for axes, title in zip(grid.flat, titles, strict=False):
        axes.set_title(title, pad=3)
    for axes in list(grid.flat)[len(titles) :]:
        axes.set_axis_off()
    return list(grid.flat)[: len(titles)]


def _size(axes: Axes, entries: Sequence[Mapping[str, Any]]) -> None:
    """Stacker with its 95% interval, and the unweighted vote, at every size."""
    size = [entry["size"] for entry in entries]
    stacked = {key: _values(entries, "stacked", key) for key in ("resample_mean", "low", "high")}
    axes.fill_between(size, stacked["low"], stacked["high"], color=_STACKED, alpha=0.16, linewidth=0)
    axes.plot(size, stacked["resample_mean"], color=_STACKED, marker="o", markersize=3)
    axes.plot(
        size,
        _values(entries, "unweighted", "resample_mean"),
        color=_VOTE,
        linestyle=":",
        marker="x",
        markersize=3,
    )
    axes.set_xlim(0.5, max(size) + 0.5)
    step = 1 if len(size) <= 6 else 2 if len(size) <= 12 else math.ceil(len(size) / 6)
    axes.set_xticks(range(1, max(size) + 1, step))
    _loose(axes)


def _budget(axes: Axes, curve: Mapping[str, Any]) -> None:
    """Means over the draws with the stacker's quartiles; the marker says what a budget beats."""
    points = [point for point in curve["budgets"].values() if point["stacked"]["mean"] is not None]
    budgets = [int(b) for b, point in curve["budgets"].items() if point["stacked"]["mean"] is not None]
    stacked = {key: _values(points, "stacked", key) for key in ("mean", "low", "high")}
    single = _values(points, "best_single", "mean")
    floor = curve["unweighted"]
    axes.fill_between(budgets, stacked["low"], stacked["high"], color=_STACKED, alpha=0.16, linewidth=0)
    axes.plot(budgets, single, color=_SINGLE, linestyle="--", linewidth=0.9)
    axes.plot(budgets, stacked["mean"], color=_STACKED)
    if floor is not None:
        axes.axhline(floor, color=_VOTE, linestyle=":", linewidth=0.9)
    for budget, value, rival in zip(budgets, stacked["mean"], single, strict=True):
        beats_vote = floor is not None and value > floor
        axes.plot(
            [budget],
            [value],
            marker=_UNRIVALLED if np.isnan(rival) else "o" if value > rival else "s",
            color=_STACKED,
            markerfacecolor=_STACKED if beats_vote else "white",
            markersize=4,
        )
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator(budgets))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels(_apart(budgets), rotation=45)
    axes.tick_params(axis="x", labelsize=6, pad=1)
    _loose(axes)


def _apart(budgets: Sequence[int]) -> list[str]:
    """Labels of the ticks; one that would run into its right neighbour is left out."""
    close = [after < 1.5 * budget for budget, after in pairwise(budgets)]
    # A small panel may have no budget at which the stacker is defined.
    return ["" if near else str(budget) for budget, near in zip(budgets, [*close, False], strict=False)]


def _values(entries: Sequence[Mapping[str, Any]], method: str, key: str) -> list[float]:
    return [np.nan if entry[method][key] is None else entry[method][key] for entry in entries]


def _loose(axes: Axes) -> None:
    axes.margins(y=0.12)
    axes.tick_params(axis="y", labelsize=6)


def _size_legend() -> list[Line2D | Patch]:
    return [
        Line2D([], [], color=_STACKED, marker="o", markersize=3, label="stacked"),
        Patch(color=_STACKED, alpha=0.16, label="95% interval"),
        Line2D([], [], color=_VOTE, linestyle=":", marker="x", markersize=3, label="unweighted majority"),
    ]


def _budget_legend(*, unrivalled: bool) -> list[Line2D | Patch]:
    def mark(marker: str, filled: bool, label: str) -> Line2D:
        return Line2D(
            [],
            [],
            linestyle="",
            marker=marker,
            color=_STACKED,
            markerfacecolor=_STACKED if filled else "white",
            markersize=4,
            label=label,
        )

    return [
        Line2D([], [], color=_STACKED, label="stacked, mean"),
        Patch(color=_STACKED, alpha=0.16, label="interquartile range"),
        Line2D([], [], color=_SINGLE, linestyle="--", label="best single on the same records"),
        Line2D([], [], color=_VOTE, linestyle=":", label="unweighted majority, no labels"),
        mark("o", True, "beats both"),
        mark("s", True, "beats the vote only"),
        mark("o", False, "beats the single only"),
        mark("s", False, "beats neither"),
        *([mark(_UNRIVALLED, False, "single undefined")] if unrivalled else []),
    ]
