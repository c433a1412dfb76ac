"""Thresholds chosen by Youden's J on the panels, and chosen on all benchmarks but one and applied to that one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools, Floats
from analysis.estimators.thresholds.rows import BARS, SHARES, PanelRows, youden

#: J values this close are equal; rounding must not break a tie.
_EQUAL = 1e-12
#: A pair within this much of the best J is on its plateau.
PLATEAU = 0.01


@dataclass(frozen=True)
class Run:
    """Neighbouring correlation bars at one share."""

    share: float
    phi_from: float
    phi_to: float
    count: int


@dataclass(frozen=True)
class Selected:
    """The best pairs of the grid.

    Attributes
    ----------
    best : highest J
    maximisers, plateau : (S, T) pairs with the highest J, and within the plateau of it
    """

    best: float
    maximisers: Bools
    plateau: Bools


@dataclass(frozen=True)
class HeldOut:
    """Thresholds chosen without one benchmark, read on its full panel.

    Attributes
    ----------
    selected : on the other benchmarks' panels; None where J is undefined there
    calls : distinct calls of the held-out full panel under the maximisers
    matches : whether they all are the declared call; None without maximisers
    """

    selected: Selected | None
    calls: tuple[bool, ...]
    matches: bool | None


def select(rows: PanelRows, target: Bools) -> Selected | None:
    """The pairs of the grid with the highest J on panels with a target (m,); None where J is undefined."""
    j = youden(rows.grid(), target)
    if np.isnan(j).any():
        return None
    best = float(j.max())
    return Selected(best, j >= best - _EQUAL, j >= best - PLATEAU)


def hold_out(rows: PanelRows, target: Bools, benchmark: int) -> HeldOut:
    """Choose on every benchmark but one and read that one's full panel under every maximiser."""
    others = rows.benchmark != benchmark
    selected = select(rows[others], target[others])
    if selected is None:
        return HeldOut(None, (), None)
    whole = rows[(rows.benchmark == benchmark) & rows.full]
    calls = np.unique(whole.grid()[selected.maximisers])
    return HeldOut(
        selected,
        tuple(bool(call) for call in calls),
        bool((calls == whole.declared()[0]).all()),
    )


def runs(pairs: Bools) -> list[Run]:
    """The pairs (S, T) that are true, as runs of neighbouring bars."""
    found = []
    for share, of_share in zip(SHARES, pairs, strict=True):
        edges = np.flatnonzero(np.diff(np.r_[False, of_share, False]))
        found += [
            Run(share, BARS[start], BARS[stop - 1], int(stop - start))
            for start, stop in zip(edges[::2], edges[1::2], strict=True)
        ]
    return found


def direction(calls: Bools, target: Bools) -> tuple[int, float, float]:
    """Over the pairs that split the panels: their number, the share of them with J > 0, and the least J.

    ``calls`` is (S, T, m). Share and least J are NaN where no pair splits the panels or J is undefined.
    """
    split = calls.any(axis=-1) & ~calls.all(axis=-1)
    j: Floats = youden(calls, target)[split]
    if len(j) == 0 or np.isnan(j).any():
        return int(split.sum()), float("nan"), float("nan")
    return len(j), float((j > 0).mean()), float(j.min())
