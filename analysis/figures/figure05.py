"""Figure 5: what dropping each member does to the stacked panel."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from analysis.figures.order import by_competence
from analysis.figures.style import PAGE, literal, new_figure
from analysis.pipeline.derived import Derived
from analysis.tables.cells import UNDEFINED, Number, excludes_zero

NUMBER, NAME, SOURCE = 5, "Leave-one-out change in stacked κ", "RAIM, appendix B"
READS = ("leave_one_out",)
#: The colour scale ends here, so that one large cost does not wash out the rest.
CLIP = 0.07
#: Red below zero: removal of the member costs the panel.
_COLOURS = "RdBu"


def draw(derived: Derived) -> Figure:
    """A cell a member and benchmark; the column's extremes are bold, a star marks an interval that excludes zero."""
    entries, _ = derived.read_each("leave_one_out")
    names = by_competence(derived, entries)
    roster = [
        name
        for name in derived.overview["roster"]
        if any(name in entry["without"] for entry in entries.values())
    ]
    deltas = np.full((len(roster), len(names)), np.nan)
    starred = np.zeros(deltas.shape, dtype=np.bool_)
    for column, name in enumerate(names):
        for line, member in enumerate(roster):
            found = entries[name]["without"].get(member)
            if found is not None and found["delta"]["resample_mean"] is not None:
                deltas[line, column] = found["delta"]["resample_mean"]
                starred[line, column] = excludes_zero(found["delta"])
    figure = new_figure(PAGE * 0.88, 0.26 * len(roster) + 1.0)
    axes = figure.subplots()
    image = axes.imshow(deltas, cmap=_COLOURS, vmin=-CLIP, vmax=CLIP, aspect="auto", interpolation="nearest")
    for line, column in np.ndindex(*deltas.shape):
        value = deltas[line, column]
        known = deltas[:, column][~np.isnan(deltas[:, column])]
        if np.isnan(value):
            axes.text(column, line, UNDEFINED, ha="center", va="center", fontsize=7, color="0.4")
            continue
        text = Number(float(value), signed=True).text() + ("*" if starred[line, column] else "")
        axes.text(
            column,
            line,
            text,
            ha="center",
            va="center",
            fontsize=7,
            fontweight="bold" if value in (known.min(), known.max()) else "normal",
            color="white" if abs(value) > 0.72 * CLIP else "black",
        )
    axes.set_xticks(range(len(names)), [literal(derived.overview["benchmarks"][n]["title"]) for n in names])
    axes.set_yticks(range(len(roster)), [literal(derived.overview["roster"][m]["tag"]) for m in roster])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_ylabel("member left out")
    axes.set_title("bold: extremes of a column; *: 95% interval excludes zero", fontsize=6.5, loc="left")
    bar = figure.colorbar(image, ax=axes, extend="both", pad=0.015, aspect=25)
    bar.set_label("Δκ without the member")
    bar.outline.set_visible(False)
    return figure
