"""Prompt styles of one judge against its default wording (paper, Table 16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.judgemoe.statistics.cells import equal_cell_mean


@dataclass(frozen=True)
class StyleRow:
    """One style over the rows in which it and the default are defined. ``wins`` is None for the default itself."""

    style: str
    rows: int
    mean: float
    wins: int | None


def compare_styles(scores: Sequence[Mapping[str, float]], default: str) -> list[StyleRow]:
    """Table 16 from rows (dataset x model x range), each with the soft Spearman of every style; the default first."""
    styles = [default, *sorted({style for row in scores for style in row} - {default})]
    out = []
    for style in styles:
        shared = [
            row
            for row in scores
            if np.isfinite(row.get(style, np.nan)) and np.isfinite(row.get(default, np.nan))
        ]
        ahead = sum(round(row[style], 10) > round(row[default], 10) for row in shared)
        mean = equal_cell_mean(np.array([row[style] for row in shared]))
        out.append(StyleRow(style, len(shared), mean, None if style == default else ahead))
    return out


def non_default_best(scores: Sequence[Mapping[str, float]], default: str) -> int:
    """Rows whose best style is not the default."""
    defined = [{style: value for style, value in row.items() if np.isfinite(value)} for row in scores]
    return sum(
        max(row, key=lambda style: (round(row[style], 10), style == default)) != default
        for row in defined
        if row
    )
