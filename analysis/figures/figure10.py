"""Figure 10: the panel member by member."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.arrays import Bools, Floats
from analysis.figures.order import by_competence
from analysis.figures.style import DIVERGING, PAGE, literal, new_figure
from analysis.panel.roster import benchmark_title, judge_title, judges
from analysis.pipeline.derived import Derived
from analysis.tables.cells import PARTIAL, UNDEFINED, Number

NUMBER, NAME, SOURCE = 10, "The panel member by member", "RAIM, appendix I"
READS = ("ladder",)
#: Cells darker than this carry white text.
_DARK = 0.45


def draw(derived: Derived) -> Figure:
    """(a) each member's kappa, (b) the stacker's mean coefficient over the folds; below them, ranks in the column."""
    ladders, _ = derived.read_each("ladder")
    names = by_competence(derived, ladders)
    members = judges(derived, among={member for one in ladders.values() for member in one["members"]})
    kappas = _grid(members, [ladders[name]["members"] for name in names], "kappa")
    weights = _grid(members, [ladders[name]["weights"]["stacked"]["members"] for name in names], "mean")
    figure = new_figure(PAGE, 1.3 + 0.3 * len(members))
    left, right = figure.subplots(1, 2, sharey=True)
    gate = derived.overview["coverage_gate"]
    low = _grid(members, [ladders[name]["members"] for name in names], "coverage") < gate
    _heat_map(figure, left, kappas, low, "(a) Cohen's κ against gold")
    _heat_map(figure, right, weights, np.zeros_like(low), "(b) mean cross-fit coefficient β")
    for axes in (left, right):
        axes.set_xticks(
            range(len(names)),
            [literal(benchmark_title(derived, name)) for name in names],
            rotation=35,
            ha="right",
            rotation_mode="anchor",
        )
    left.set_yticks(range(len(members)), [literal(judge_title(derived, member)) for member in members])
    notes = ["(n): rank within the column"]
    if np.isnan(kappas).any():
        notes.append(f"{UNDEFINED}: not in the panel, or undefined")
    if (low & ~np.isnan(kappas)).any():
        notes.append(f"{PARTIAL}: on fewer than {gate:g} of the items")
    figure.suptitle("; ".join(notes), fontsize=6)
    return figure


def _grid(members: list[str], columns: list[Any], key: str) -> Floats:
    """(members, benchmarks) values, NaN where a member is not in the panel or the value is undefined."""
    return np.array(
        [
            [
                np.nan if member not in column or column[member][key] is None else column[member][key]
                for column in columns
            ]
            for member in members
        ],
        dtype=np.float64,
    )


def _heat_map(figure: Figure, axes: Axes, values: Floats, marked: Bools, title: str) -> None:
    limit = float(np.nanmax(np.abs(values)))
    image = axes.imshow(values, cmap=DIVERGING, vmin=-limit, vmax=limit, aspect="auto")
    axes.set_title(title)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    colours: Floats = np.asarray(image.cmap(np.asarray(image.norm(values))))
    for row, column in np.ndindex(values.shape):
        value = values[row, column]
        if np.isnan(value):
            axes.text(column, row, UNDEFINED, ha="center", va="center", fontsize=6)
            continue
        # Equal to nine digits is equal: twins differ by the solver's rounding only.
        rank = 1 + int((np.round(values[:, column], 9) > np.round(value, 9)).sum())
        luminance = float(colours[row, column, :3] @ np.array([0.299, 0.587, 0.114]))
        text = f"{Number(float(value), 2).text()}{PARTIAL if marked[row, column] else ''}\n({rank})"
        ink = "white" if luminance < _DARK else "black"
        axes.text(column, row, text, ha="center", va="center", fontsize=5.5, color=ink, linespacing=1.1)
    figure.colorbar(image, ax=axes, location="bottom", fraction=0.05, pad=0.02, aspect=40)
