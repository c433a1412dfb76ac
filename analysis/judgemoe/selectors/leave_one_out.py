"""Leaving one judge out of the uniform log pool (paper, section 6.3, Figure 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.judgemoe.cell import Cell
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.pools.fixed import fit_pool


@dataclass(frozen=True)
class LeaveOneOut:
    """Spearman of the full uniform log pool, and what it gains when each judge is dropped (``judges`` order)."""

    judges: tuple[str, ...]
    full: float
    gains: tuple[float, ...]

    @property
    def gain(self) -> float:
        """The largest gain: the leave-one-out signal of the deployment rule. NaN where none is defined."""
        defined = [gain for gain in self.gains if np.isfinite(gain)]
        return max(defined) if defined else float("nan")

    @property
    def worst(self) -> str | None:
        """The judge whose removal gains most, None where no removal gains."""
        return self.judges[int(np.nanargmax(self.gains))] if self.gain > 0.0 else None


def leave_one_out(cell: Cell) -> LeaveOneOut:
    """Drop each judge in turn on these items (pass validation). No gains are defined for a single judge.

    A gain is taken on the items that the other judges scored, so that no pool is credited with easier items.
    """
    pooled = fit_pool(cell, "uniform", "log").predict(cell)
    gains = []
    for judge in cell.judges:
        others = [name for name in cell.judges if name != judge]
        if not others:
            gains.append(float("nan"))
            continue
        rest = cell.with_judges(others)
        kept = cell.present[:, [cell.judges.index(name) for name in others]].any(axis=1)
        before = spearman(pooled[kept], cell.targets[kept])
        gains.append(spearman(fit_pool(rest, "uniform", "log").predict(rest), rest.targets) - before)
    return LeaveOneOut(cell.judges, spearman(pooled, cell.targets), tuple(gains))
