"""Figure 7: error correlation among base checkpoints and among their instruction-tuned twins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from analysis.figures.order import by_competence
from analysis.figures.style import COLOURS, PAGE, literal, new_figure
from analysis.pipeline.derived import Derived
from analysis.tables.cells import MINUS

NUMBER, NAME, SOURCE = 7, "Error correlation before and after instruction tuning", "RAIM, appendix D"
READS = ("base_instruct",)
_ARMS = {"base": ("base", COLOURS["orange"], "o"), "instruct": ("instruction-tuned", COLOURS["blue"], "s")}
_OFFSET = 0.19


def draw(derived: Derived) -> Figure:
    """Violins of the pairs' correlations, side by side per benchmark, with the shift of their mean and its interval."""
    probes, _ = derived.read_each("base_instruct")
    names = by_competence(derived, probes)
    figure = new_figure(PAGE, 2.8)
    axes = figure.subplots()
    rng = np.random.default_rng(0)
    for position, name in enumerate(names):
        for side, (arm, (_, colour, marker)) in zip((-1, 1), _ARMS.items(), strict=True):
            pairs = [value for value in probes[name]["pairs"][arm] if value is not None]
            _violin(axes, position + side * _OFFSET, pairs, colour, marker, rng)
            mean = probes[name][arm]["estimate"]
            if mean is not None:
                place = position + side * _OFFSET
                axes.hlines(mean, place - 0.15, place + 0.15, color=COLOURS["black"], linewidth=1.4)
    drawn = [v for probe in probes.values() for arm in _ARMS for v in probe["pairs"][arm] if v is not None]
    top, low = max(drawn, default=1.0), min(drawn, default=0.0)
    height = max(top, 0.0) - min(low, 0.0)
    for position, name in enumerate(names):
        label = _shift(probes[name]["shift"])
        axes.text(position, top + 0.09 * height, label, ha="center", va="bottom", fontsize=5.5)
    axes.set_ylim(min(low, 0.0) - 0.08 * height, top + 0.33 * height)
    axes.axhline(0, color="0.6", linewidth=0.6, zorder=0)
    titles = [literal(derived.overview["benchmarks"][name]["title"]) for name in names]
    axes.set_xticks(range(len(names)), titles)
    axes.set_xlim(-0.6, len(names) - 0.4)
    axes.set_ylabel("pairwise error correlation φ")
    handles = [Patch(facecolor=colour, alpha=0.35, label=label) for label, colour, _ in _ARMS.values()]
    axes.legend(handles=handles, loc="upper right", ncols=2, bbox_to_anchor=(1, 1.14))
    return figure


def _violin(
    axes: Axes, place: float, pairs: Sequence[float], colour: str, marker: str, rng: np.random.Generator
) -> None:
    if len(set(pairs)) > 2:
        parts: Mapping[str, Any] = axes.violinplot([pairs], positions=[place], widths=0.34, showextrema=False)
        for body in parts["bodies"]:
            body.set(facecolor=colour, edgecolor=colour, alpha=0.35, linewidth=0.6)
    jitter = rng.uniform(-0.06, 0.06, len(pairs))
    axes.scatter(place + jitter, pairs, s=5, color=colour, marker=marker, linewidths=0, alpha=0.8)


def _shift(entry: Mapping[str, Any]) -> str:
    if entry["estimate"] is None:
        return "Δφ —"
    lines = f"Δφ {entry['estimate']:+.3f}"
    if entry["low"] is not None:
        lines += f"\n[{entry['low']:+.3f}, {entry['high']:+.3f}]"
    return lines.replace("-", MINUS)
