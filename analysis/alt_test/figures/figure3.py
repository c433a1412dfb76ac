"""Figure 3: the winning rate over epsilon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.alt_test.study.pools import TITLES
from analysis.alt_test.tables.parts import tests
from analysis.figures.style import COLOURS, MARKERS, PAGE, literal, new_figure
from analysis.pipeline.derived import Derived

NUMBER, NAME, SOURCE = 3, "Winning rate over epsilon", "alt-test, section B.1"
READS = ("panels", "test")

#: The panel of each kind that stands beside the judges, and its line.
SHOWN = {"stacked": "--", "calibrated_rounded": "-.", "plurality": (0, (5, 1, 1, 1, 1, 1))}
_COLOURS = [COLOURS[name] for name in ("blue", "orange", "green", "vermilion", "purple", "sky")]


def draw(derived: Derived) -> Figure:
    """One panel a set: a line a judge, the judges' panel in black, and the rate from which a judge passes."""
    read = tests(derived)
    judges = list(dict.fromkeys(name for one in read.values() for name in one["sweep"]))
    columns = 2
    n_rows = -(-len(read) // columns)
    figure = new_figure(PAGE, 2.5 * n_rows + 0.4)
    grid = figure.subplots(n_rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes, (name, one) in zip(grid.flat, read.items(), strict=False):
        _panel(axes, one, derived.read(name, "panels"), judges)
    for axes in grid.flat[len(read) :]:
        axes.axis("off")
    for axes in grid[-1]:
        axes.set_xlabel("ε")
    for axes in grid[:, 0]:
        axes.set_ylabel("winning rate ω")
    handles, labels = [], []
    for axes in grid.flat[: len(read)]:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            if label not in labels:
                handles.append(handle)
                labels.append(label)
    figure.legend(handles, labels, loc="outside upper center", ncols=5)
    return figure


def _panel(axes: Axes, one: Mapping[str, Any], panels: Mapping[str, Any], judges: list[str]) -> None:
    axes.axhline(0.5, color="0.3", linestyle=":", label="passes from here")
    for name, sweep in one["sweep"].items():
        position = judges.index(name)
        axes.plot(
            sweep["epsilons"],
            sweep["winning_rates"],
            color=_COLOURS[position % len(_COLOURS)],
            marker=MARKERS[position % len(MARKERS)],
            markevery=(position % 5, 5),
            markersize=3,
            label=literal(name),
        )
    for name, line in SHOWN.items():
        if name in panels["sweep"]:
            sweep = panels["sweep"][name]
            axes.plot(
                sweep["epsilons"], sweep["winning_rates"], color="black", linestyle=line, label=TITLES[name]
            )
    about = one["set"]
    axes.axvline(about["epsilon"], color="0.7", linewidth=0.6)
    axes.set_title(
        literal(f"{about['title']} ({about['annotators'].split(',')[0]}; ε = {about['epsilon']:g})")
    )
    axes.set_ylim(-0.03, 1.03)
