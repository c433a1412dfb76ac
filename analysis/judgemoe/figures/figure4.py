"""Equal-cell reliability diagram (paper, Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure

from analysis.figures.style import COLOURS, MARKERS, new_figure
from analysis.judgemoe.tables.parts import METHOD_NAMES
from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 4, "Equal-cell reliability diagram", "JudgeMoE, appendix B.2"
READS = ("comparison",)

_SYSTEMS = ("judgemoe", "best_single", "uniform_log", "cov_log")


def draw(derived: Derived) -> Figure:
    """Mean prediction against mean human score by bin, averaged over the original cells that have the bin."""
    cells = derived.read_suite("comparison")["cells"]
    chosen = [cells[name] for name in derived.overview["original"]]
    if any("reliability" not in cell for cell in chosen):
        raise Skip("the paper publishes no bins")
    figure = new_figure(4.2, 3.8)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="0.5", linewidth=0.8, linestyle="--", label="calibrated")
    for system, colour, marker in zip(_SYSTEMS, COLOURS.values(), MARKERS, strict=False):
        points = bin_means([cell["reliability"][system] for cell in chosen])
        # A mean of exactly 0 or 1 lies on the edge: its marker is not cut.
        axes.plot(
            *zip(*points, strict=True), color=colour, marker=marker, label=METHOD_NAMES[system], clip_on=False
        )
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="mean prediction", ylabel="mean human score", aspect="equal")
    axes.legend(loc="upper left")
    return figure


def bin_means(diagrams: Sequence[Mapping[str, Any]]) -> list[tuple[float, float]]:
    """Per bin, the mean over cells of predicted and of human means; bins that are empty in every cell are left out."""
    points = []
    for position in range(len(diagrams[0]["counts"])):
        here = [d for d in diagrams if d["counts"][position]]
        if here:
            pairs = [(d["predicted"][position], d["human"][position]) for d in here]
            points.append((sum(p for p, _ in pairs) / len(pairs), sum(h for _, h in pairs) / len(pairs)))
    return points
