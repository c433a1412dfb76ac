"""Per-cell gains over the best single judge (paper, Figure 3)."""

from __future__ import annotations

from matplotlib.figure import Figure

from analysis.figures.style import COLOURS, PAGE, literal, new_figure
from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 3, "Per-cell pattern of the main comparison", "JudgeMoE, section 6.2"
READS = ("comparison",)


def draw(derived: Derived) -> Figure:
    """JudgeMoE less the strongest single judge of each cell, with its interval; additional cells are hollow."""
    cells = derived.read_suite("comparison")["cells"]
    original = set(derived.overview["original"])
    shown = [(name, c["differences"]["best_single"]) for name, c in cells.items()]
    shown = [(name, gap) for name, gap in shown if gap["estimate"] is not None]
    if not shown:
        raise Skip("no cell has a defined difference")
    figure = new_figure(PAGE, 0.8 + 0.2 * len(shown))
    axes = figure.subplots()
    axes.axvline(0.0, color="0.4", linewidth=0.8)
    for place, (name, gap) in enumerate(reversed(shown)):
        colour = COLOURS["blue"] if gap["estimate"] > 0 else COLOURS["vermilion"]
        if gap["low"] is not None and gap["high"] is not None:
            axes.plot([gap["low"], gap["high"]], [place, place], color=colour)
        marker = "o" if gap["estimate"] > 0 else "s"
        face = colour if name in original else "white"
        axes.plot(gap["estimate"], place, marker=marker, color=colour, markerfacecolor=face)
    axes.set_yticks(range(len(shown)), [literal(name) for name, _ in reversed(shown)])
    axes.set_ylim(-0.6, len(shown) - 0.4)
    axes.set_xlabel(
        "Δ Spearman, JudgeMoE less best single judge (filled: original cells, hollow: additional)"
    )
    return figure
