"""Failure and recovery of the pool (paper, Figure 5)."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from analysis.figures.style import COLOURS, PAGE, literal, new_figure
from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 5, "Failure and recovery", "JudgeMoE, appendix B.6"
READS = ("selection", "comparison")

#: Cells shown at most: those whose uniform pool gains most from dropping a judge.
MOST = 6


def draw(derived: Derived) -> Figure:
    """Test Spearman of the full pool, without its worst judge, sparse, and of the gates, where most is gained."""
    compared = derived.read_suite("comparison")["cells"]
    cells = derived.read_suite("selection")["cells"]
    gains = {name: cell["leave_one_out"]["gain"] for name, cell in cells.items()}
    ranked = sorted((n for n in gains if gains[n] is not None and gains[n] > 0), key=lambda n: -gains[n])[
        :MOST
    ]
    if not ranked:
        raise Skip("dropping a judge gains nothing on the validation items of any cell")
    figure = new_figure(PAGE, 2.8)
    axes = figure.subplots()
    width = 0.8 / len(_BARS)
    for position, (title, read, colour, hatch) in enumerate(_BARS):
        heights = [read(compared[name], cells[name]) for name in ranked]
        places = np.arange(len(ranked)) + (position - (len(_BARS) - 1) / 2) * width
        values = [np.nan if height is None else height for height in heights]
        axes.bar(
            places,
            values,
            width,
            color=COLOURS[colour],
            hatch=hatch,
            edgecolor="white",
            linewidth=0.4,
            label=title,
        )
    axes.axhline(0.0, color="0.4", linewidth=0.8)
    axes.set_xticks(range(len(ranked)), [in_lines(name) for name in ranked])
    axes.set_ylabel("test Spearman")
    figure.legend(loc="outside upper center", ncols=len(_BARS))
    return figure


def in_lines(name: str) -> str:
    """``dataset-part@range`` in lines, so that six long names stand beside each other."""
    dataset, _, scale = name.rpartition("@")
    return "\n".join([*map(literal, dataset.replace("-", "-\n", 1).split("\n")), f"@{scale}"])


def _single(compared: Any, selected: Any) -> Any:
    return compared["methods"]["best_single"]["spearman"]["estimate"]


_BARS = (
    ("best single", _single, "black", ""),
    ("uniform log", lambda compared, selected: selected["leave_one_out"]["test_full"], "sky", ""),
    (
        "without worst",
        lambda compared, selected: selected["leave_one_out"]["test_without_worst"],
        "sky",
        "////",
    ),
    ("sparse log pool", lambda compared, selected: selected["sparse_pool"]["test"], "green", ""),
    ("JudgeMoE", lambda compared, selected: selected["families"]["test"]["full"], "blue", ""),
    ("sparse JudgeMoE", lambda compared, selected: selected["families"]["test"]["sparse"], "blue", "////"),
)
