"""Protocol sensitivity (paper, Figure 2)."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from analysis.figures.style import COLOURS, PAGE, new_figure
from analysis.pipeline.derived import Derived

NUMBER, NAME, SOURCE = 2, "Protocol sensitivity", "JudgeMoE, section 5.1"
READS = ("protocol",)


def draw(derived: Derived) -> Figure:
    """Left: dataset-judge pairs in which each range is best. Right: share of usable runs in which soft beats hard."""
    found = derived.read_suite("protocol")
    scales = list(found["best_range"])
    places = np.arange(len(scales))
    figure = new_figure(PAGE, 2.4)
    left, right = figure.subplots(1, 2)
    counts = [found["best_range"][scale] for scale in scales]
    left.bar(places, counts, width=0.65, color=COLOURS["blue"])
    for place, value in zip(places, counts, strict=True):
        left.annotate(str(value), (place, value), ha="center", va="bottom", fontsize=7)
    left.set(ylabel="dataset-judge pairs", title="best score range", ylim=(0, max(1, *counts) * 1.15))
    runs = [found["soft_over_hard"][scale] for scale in scales]
    shares = [run["wins"] / run["runs"] if run["runs"] else 0.0 for run in runs]
    right.bar(places, shares, width=0.65, color=COLOURS["orange"])
    right.axhline(0.5, color="0.4", linewidth=0.8, linestyle="--")
    for place, run in zip(places, runs, strict=True):
        right.annotate(f"{run['wins']}/{run['runs']}", (place, 0.02), ha="center", va="bottom", fontsize=7)
    right.set(ylabel="share of usable runs", title="soft ahead of hard", ylim=(0, 1.12))
    for axes in (left, right):
        axes.set_xticks(places, [scale.replace("-", "–") for scale in scales])
        axes.set_xlabel("score range")
    return figure
