"""Grids of simulated curves: Figures 4 and 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures.style import COLOURS, MARKERS, PAGE, new_figure

#: As the paper draws rho: brown, dashed.
_BROWN = "#8C510A"
_OMEGA = [COLOURS[name] for name in ("blue", "orange", "green", "purple")]


def draw_grid(
    panels: Sequence[Sequence[Mapping[str, Any]]], design: Mapping[str, Any], rows_show: str
) -> Figure:
    """Rows and columns as given; ``rows_show`` titles the row's changing value (``judge_noise`` or ``categories``)."""
    figure = new_figure(PAGE, 1.5 * len(panels) + 0.6)
    grid = figure.subplots(len(panels), len(panels[0]), sharex=True, sharey=True, squeeze=False)
    for axes_row, row in zip(grid, panels, strict=True):
        for axes, panel in zip(axes_row, row, strict=True):
            _panel(axes, panel, design)
            value = (
                f"$\\eta_f$={panel['judge_noise']:g}"
                if rows_show == "judge_noise"
                else f"K={panel['categories']}"
            )
            axes.set_title(
                f"$\\eta_h$={panel['human_noise']:g}, {value}\nκ={panel['kappa']:.2f}, acc={panel['accuracy']:.2f}",
                fontsize=6.5,
                pad=3,
            )
    for axes in grid[-1]:
        axes.set_xlabel("items")
    for axes in grid[:, 0]:
        axes.set_ylabel("ω, ρ")
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    return figure


def _panel(axes: Axes, panel: Mapping[str, Any], design: Mapping[str, Any]) -> None:
    sizes = design["sizes"]
    axes.axhline(0.5, color="0.75", linewidth=0.6)
    for position, (epsilon, rates) in enumerate(zip(design["epsilons"], panel["winning_rate"], strict=True)):
        axes.plot(
            sizes,
            rates,
            color=_OMEGA[position % len(_OMEGA)],
            marker=MARKERS[position % len(MARKERS)],
            markevery=(position, 4),
            markersize=2.5,
            label=f"ω, ε = {epsilon:g}",
        )
    axes.plot(sizes, panel["rho"], color=_BROWN, linestyle="--", label="ρ with 0.9 interval")
    axes.fill_between(sizes, panel["rho_low"], panel["rho_high"], color=_BROWN, alpha=0.18, linewidth=0)
    axes.set_ylim(-0.04, 1.04)
    axes.set_yticks([0, 0.5, 1])
    axes.set_xticks([50, 100, 150, 200])
