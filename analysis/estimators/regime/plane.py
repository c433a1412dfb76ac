"""Where in the plane of the thresholds no benchmark changes side: the invariance region of Figure 3(a).

The call ``share >= c and phi_bar <= phi_0`` is constant on cells of the (phi_0, c) plane whose edges are the
benchmarks' own coordinates. The region is the union of the cells that give the declared calls, whether or not they
touch the declared point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from analysis.estimators.admissibility import DECLARED, Thresholds


@dataclass(frozen=True)
class Plane:
    """Coordinates of a suite's benchmarks.

    Attributes
    ----------
    phi_bar : (D,) mean error correlation
    competent, members : (D,) members at or above the competence bar, and members
    """

    phi_bar: Floats
    competent: Ints
    members: Ints

    def calls(self, thresholds: Thresholds = DECLARED) -> Bools:
        """(D,) admissible or not."""
        required = np.array([thresholds.required(int(k)) for k in self.members])
        return (self.competent >= required) & (self.phi_bar <= thresholds.phi)

    @property
    def share(self) -> Floats:
        """(D,) competent members as a share of the panel."""
        return np.asarray(self.competent / self.members, dtype=np.float64)


@dataclass(frozen=True)
class Cell:
    """Shares c in (share_above, share_to] with bars phi_0 in [phi_from, phi_below); None = unbounded."""

    share_above: float | None
    share_to: float | None
    phi_from: float | None
    phi_below: float | None


@dataclass(frozen=True)
class CountRow:
    """Bars phi_0 in [phi_from, phi_below) that keep the calls when ``count`` competent members are required."""

    count: int
    phi_from: float | None
    phi_below: float | None


def invariance_cells(plane: Plane, thresholds: Thresholds = DECLARED) -> list[Cell]:
    """The invariance region by share, from the lowest c up; neighbouring cells of equal phi_0 are one."""
    admitted = plane.calls(thresholds)
    edges: list[float | None] = [None, *np.unique(plane.share).tolist(), None]
    cells: list[Cell] = []
    for above, to in pairwise(edges):
        passing = plane.share >= to if to is not None else np.zeros(len(admitted), dtype=np.bool_)
        interval = _phi_interval(plane.phi_bar, admitted, passing)
        if interval is None:
            continue
        if cells and cells[-1].share_to == above and (cells[-1].phi_from, cells[-1].phi_below) == interval:
            cells[-1] = Cell(cells[-1].share_above, to, *interval)
        else:
            cells.append(Cell(above, to, *interval))
    return cells


def invariance_counts(plane: Plane, thresholds: Thresholds = DECLARED) -> list[CountRow]:
    """The invariance region by required count, 0 to one above the panel's size, for panels of one size.

    Raises
    ------
    ValueError
        If the panels differ in size: a count then means a different share on each.
    """
    sizes = np.unique(plane.members)
    if len(sizes) != 1:
        raise ValueError("panels of different sizes have no common count")
    admitted = plane.calls(thresholds)
    rows = []
    for count in range(int(sizes[0]) + 2):
        interval = _phi_interval(plane.phi_bar, admitted, plane.competent >= count)
        if interval is not None:
            rows.append(CountRow(count, *interval))
    return rows


def _phi_interval(
    phi_bar: Floats, admitted: Bools, passing: Bools
) -> tuple[float | None, float | None] | None:
    """Bars that admit exactly ``admitted`` among those passing the count, or None where no bar does."""
    if (admitted & ~passing).any():
        return None
    lowest = float(phi_bar[admitted].max()) if admitted.any() else None
    rejected = phi_bar[passing & ~admitted]
    below = float(rejected.min()) if len(rejected) else None
    if lowest is not None and below is not None and lowest >= below:
        return None
    return lowest, below


def phi_bracket(phi_bar: Floats, bar: float = DECLARED.phi) -> tuple[float | None, float | None]:
    """Largest phi-bar at or below the bar and smallest above it: between them no benchmark changes side of it."""
    below, above = phi_bar[phi_bar <= bar], phi_bar[phi_bar > bar]
    return (float(below.max()) if len(below) else None), (float(above.min()) if len(above) else None)


def kappa_bracket(
    phi_bar: Floats, kappas: Sequence[Floats], thresholds: Thresholds = DECLARED
) -> tuple[float | None, float | None]:
    """Competence bars kappa_0 in (low, high] that keep all calls, share and correlation bar fixed; None = unbounded.

    A benchmark whose phi_bar passes changes side where the bar crosses the kappa of its required-th best member.

    Parameters
    ----------
    kappas : by benchmark, (k,) members' kappas, an undefined one as 0
    """
    low: list[float] = []
    high: list[float] = []
    for phi, of_members in zip(phi_bar, kappas, strict=True):
        required = thresholds.required(len(of_members))
        if phi > thresholds.phi or required == 0:
            continue
        deciding = float(np.sort(of_members)[::-1][required - 1])
        (high if deciding >= thresholds.kappa else low).append(deciding)
    return (max(low) if low else None), (min(high) if high else None)
