"""Figure 8: leave-one-dataset-out transfer."""

from __future__ import annotations

from matplotlib.figure import Figure

from analysis.figures.order import by_competence
from analysis.figures.style import COLOURS, COLUMN, literal, new_figure
from analysis.pipeline.derived import Derived

NUMBER, NAME, SOURCE = 8, "Leave-one-dataset-out transfer", "RAIM, appendix E"
READS = ("transfer",)
_SERIES = {
    "in_domain": ("stacked, in domain", COLOURS["blue"], "o"),
    "transferred": ("stacked, transferred", COLOURS["vermilion"], "s"),
    "best_cv": ("CV-best single", COLOURS["black"], "D"),
    "average_member": ("average member", COLOURS["green"], "^"),
}


def draw(derived: Derived) -> Figure:
    """Kappa of the in-domain and the transferred stacker, the CV-best single and the average member, with intervals."""
    values = derived.read_suite("transfer")["benchmarks"]
    names = by_competence(derived, values)
    figure = new_figure(COLUMN, 2.7)
    axes = figure.subplots()
    step = 0.17
    for number, (method, (label, colour, marker)) in enumerate(_SERIES.items()):
        offset = (number - (len(_SERIES) - 1) / 2) * step
        for position, name in enumerate(names):
            score = values[name]["methods"][method]["kappa"]
            if score["resample_mean"] is None:
                continue
            centre = score["resample_mean"]
            axes.errorbar(
                position + offset,
                centre,
                yerr=[[centre - score["low"]], [score["high"] - centre]],
                fmt=marker,
                color=colour,
                markersize=4,
                linewidth=0.9,
                capsize=1.8,
                capthick=0.7,
                label=label if position == 0 else None,
            )
    axes.axhline(0, color="0.6", linewidth=0.6, zorder=0)
    axes.set_xticks(
        range(len(names)), [literal(derived.overview["benchmarks"][name]["title"]) for name in names]
    )
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylabel("Cohen's κ")
    figure.legend(loc="outside upper center", ncols=2)
    return figure
