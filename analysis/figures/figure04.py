"""Figure 4: pairwise error correlation between the members, benchmark by benchmark."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from analysis.arrays import Floats
from analysis.figures.style import DIVERGING, PAGE, grid_shape, literal, new_figure
from analysis.pipeline.derived import Derived
from analysis.tables.cells import Number

NUMBER, NAME, SOURCE = 4, "Pairwise error correlation between the members", "RAIM, appendix B"
READS = ("regime",)
_GREY = "0.82"
#: Size of the members' names, in points.
_TICK = 5.5


def draw(derived: Derived) -> Figure:
    """Matrices in ascending mean correlation; member order and colour scale are shared, the diagonal is masked."""
    regimes, _ = derived.read_each("regime")
    roster = [
        name
        for name in derived.overview["roster"]
        if any(name in entry["members"] for entry in regimes.values())
    ]
    tags = [literal(derived.overview["roster"][name]["tag"]) for name in roster]
    names = sorted(
        regimes, key=lambda name: (regimes[name]["phi_bar"] is None, regimes[name]["phi_bar"] or 0.0)
    )
    matrices = {
        name: _matrix(roster, regimes[name]["members"], np.array(regimes[name]["phi"], dtype=np.float64))
        for name in names
    }
    limit = max(
        (float(np.nanmax(np.abs(m))) for m in matrices.values() if not np.isnan(m).all()), default=1.0
    )
    lines, columns = grid_shape(len(names))
    # Names stand below the last matrix of each column, which is not the last line for all where it is not full.
    named = 1 if len(names) % columns == 0 else min(2, lines)
    below = max(map(len, tags)) * 0.6 * _TICK / 72
    figure = new_figure(PAGE * min(1.0, max(0.6, columns / 3)), 1.6 * lines + below * named + 0.35)
    grid = figure.subplots(lines, columns, squeeze=False)
    colours = mpl.colormaps[DIVERGING].with_extremes(bad=_GREY)
    image = None
    for position, axes in enumerate(grid.flat):
        if position >= len(names):
            axes.set_axis_off()
            continue
        name = names[position]
        image = axes.imshow(matrices[name], cmap=colours, vmin=-limit, vmax=limit, interpolation="nearest")
        phi_bar = regimes[name]["phi_bar"]
        title = literal(derived.overview["benchmarks"][name]["title"])
        shown = Number(phi_bar, 2, reason="no pair of members committed on five items together").text()
        axes.set_title(f"{title} (φ̄ = {shown})", fontsize=7)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0, labelsize=_TICK, pad=2)
        last = position + columns >= len(names)
        axes.set_xticks(range(len(roster)), tags if last else [""] * len(roster), rotation=90)
        axes.set_yticks(range(len(roster)), tags if position % columns == 0 else [""] * len(roster))
    if image is not None:
        bar = figure.colorbar(image, ax=grid, shrink=0.8, pad=0.01, aspect=30)
        bar.set_label("error correlation φ")
        bar.outline.set_visible(False)
    if any(np.isnan(m[~np.eye(len(m), dtype=np.bool_)]).any() for m in matrices.values()):
        figure.legend(
            handles=[Patch(color=_GREY, label="not in the panel, or too few joint items")],
            loc="outside lower left",
        )
    return figure


def _matrix(roster: list[str], members: list[str], phi: Floats) -> Floats:
    """(r, r) correlations in roster order; NaN on the diagonal and where a pair has none."""
    place = [roster.index(member) for member in members]
    matrix = np.full((len(roster), len(roster)), np.nan)
    matrix[np.ix_(place, place)] = phi
    np.fill_diagonal(matrix, np.nan)
    return matrix
