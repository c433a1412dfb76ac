"""Panels of a whole suite as the threshold family reads them, and their calls over a grid of thresholds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from analysis.estimators.admissibility import DECLARED, Thresholds

#: Shares c and correlation bars phi_0 of the grid: 6 x 66 = 396 pairs.
SHARES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
BARS = tuple(round(0.25 + 0.01 * step, 2) for step in range(66))
#: The selection reads phi-bar and kappas at this precision, as the release stores them.
DECIMALS = 6


@dataclass(frozen=True)
class PanelRows:
    """m (sub-)panels of D benchmarks.

    Attributes
    ----------
    benchmark : (m,) code 0..D-1
    full : (m,) whether a row is the benchmark's whole panel
    size, competent : (m,) members, and those at or above the competence bar
    phi_bar, stacked, best_cv, frontier : (m,) mean error correlation and kappas; NaN where undefined
    """

    benchmark: Ints
    full: Bools
    size: Ints
    competent: Ints
    phi_bar: Floats
    stacked: Floats
    best_cv: Floats
    frontier: Floats

    def __len__(self) -> int:
        """Number of panels."""
        return len(self.benchmark)

    def __getitem__(self, keep: Bools) -> PanelRows:
        """Some of the panels."""
        return PanelRows(*(value[keep] for value in vars(self).values()))

    def rounded(self) -> PanelRows:
        """The same panels with phi-bar and kappas at the precision of the selection."""
        exact = vars(self)
        names = ("phi_bar", "stacked", "best_cv", "frontier")
        return PanelRows(**{**exact, **{name: np.round(exact[name], DECIMALS) for name in names}})

    def passes_count(self, share: float) -> Bools:
        """(m,) at least a share of the members is competent."""
        required = np.array([Thresholds(share=share).required(int(k)) for k in self.size], dtype=np.int64)
        return self.competent >= required

    def declared(self, thresholds: Thresholds = DECLARED) -> Bools:
        """(m,) calls at one operating point."""
        return self.passes_count(thresholds.share) & (self.phi_bar <= thresholds.phi)

    def grid(self, shares: tuple[float, ...] = SHARES, bars: tuple[float, ...] = BARS) -> Bools:
        """(len(shares), len(bars), m) calls at every pair of thresholds."""
        count = np.array([self.passes_count(share) for share in shares])
        return count[:, None] & (self.phi_bar <= np.array(bars)[:, None])

    def near_frontier(self, margin: float) -> Bools:
        """(m,) the stacker's kappa is within a margin of the frontier judge's, or above."""
        return self.stacked - self.frontier >= -margin

    def beats_best_member(self) -> Bools:
        """(m,) the stacker's kappa exceeds that of the panel's own CV-best single."""
        return self.stacked - self.best_cv > 0


def youden(calls: Bools, target: Bools) -> Floats:
    """Youden's J = TPR + TNR - 1 of calls (..., m) against a target (m,); NaN where a class has no panel."""
    positives, negatives = int(target.sum()), int((~target).sum())
    if positives == 0 or negatives == 0:
        return np.full(calls.shape[:-1], np.nan)
    admitted = calls.astype(np.float64)
    true_positive = admitted @ target.astype(np.float64) / positives
    true_negative = (1 - admitted) @ (~target).astype(np.float64) / negatives
    return np.asarray(true_positive + true_negative - 1, dtype=np.float64)
