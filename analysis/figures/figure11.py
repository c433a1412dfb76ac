"""Figure 11, beyond the paper: the amortised cost behind its break-even."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from analysis.figures.style import COLOURS, COLUMN, literal, new_figure
from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 11, "Amortised cost of the panel", "RAIM, appendix H (stated there, not drawn)"
READS = ("costs",)
_LINES = (("blue", "-"), ("vermilion", "--"), ("green", "-."), ("purple", ":"), ("orange", "-"))


def draw(derived: Derived) -> Figure:
    """USD per 1,000 items against volume for each label budget, the frontier's flat price, and where they meet."""
    values = derived.read_suite("costs")
    if "comparison" not in values:
        raise Skip("it has no frontier judge that the rates price")
    comparison = values["comparison"]
    figure = new_figure(COLUMN, 2.7)
    axes = figure.subplots()
    curve = comparison["curve"]
    for entry, (colour, line) in zip(comparison["break_even"], _LINES, strict=False):
        amortised = curve["amortised"][str(entry["labels"])]
        repaid = "never" if entry["items"] is None else f"{entry['items'] / 1000:,.0f}k items"
        label = f"panel, {entry['labels']:,} labels ({repaid})"
        axes.plot(curve["items"], amortised, line, color=COLOURS[colour], label=label)
        if entry["items"] is not None:
            axes.plot(entry["items"], comparison["frontier"], "o", color=COLOURS[colour], markersize=4.5)
    name = literal(derived.overview["roster"][values["frontier"]]["tag"])
    axes.axhline(comparison["frontier"], color=COLOURS["black"], linewidth=0.9, label=name)
    axes.axhline(comparison["panel"], color="0.6", linewidth=0.7, linestyle=":", label="panel, no labels")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel("evaluated items")
    axes.set_ylabel("USD per 1,000 items")
    figure.legend(loc="outside upper center", ncols=2, columnspacing=1.0, handlelength=1.6)
    return figure
