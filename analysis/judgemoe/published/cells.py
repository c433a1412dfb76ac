"""Loading the published numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from analysis.arrays import Floats

#: Tables print four decimals: each input may be off by half of the last one.
ROUNDING = 0.5e-4


@cache
def published() -> dict[str, Any]:
    """The file as it is: ``original`` and ``additional`` cells, ``power`` (Table 30), ``compute`` (Table 49)."""
    text = files("analysis.judgemoe.published").joinpath("cells.json").read_text(encoding="utf-8")
    values: dict[str, Any] = json.loads(text)
    return values


def column(cells: Sequence[dict[str, Any]], name: str) -> Floats:
    """One method's Spearman by cell, NaN where the paper prints none."""
    return np.array([float(cell.get(name, np.nan)) for cell in cells])


def differences(cells: Sequence[dict[str, Any]], baseline: str) -> Floats:
    """JudgeMoE less a baseline by cell.

    From the scores where both are printed, but from the printed difference where that tells more than they do: FLASK
    at 1-5 ties the covariance-aware pool in four decimals and is printed as -0.0001.
    """
    gaps = column(cells, "judgemoe") - column(cells, baseline)
    printed = column(cells, f"difference_{baseline}")
    tied = np.isfinite(printed) & (np.abs(gaps) < ROUNDING) & (printed != 0.0)
    return np.where(tied, printed, gaps)
