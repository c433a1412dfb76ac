"""Summaries and tests over cells: each cell is one deployment condition (paper, section 4.6, Tables 2 and 26)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.statistics.clusters import Interval, interval
from analysis.judgemoe.statistics.wilcoxon import signed_rank

REPLICATES = 10_000
SEED = 13


@dataclass(frozen=True)
class CellComparison:
    """A method against a baseline over cells."""

    cells: int
    method: float
    baseline: float
    difference: float
    positive: int
    interval: Interval
    p_one_sided: float
    p_two_sided: float


def equal_cell_mean(values: Floats) -> float:
    """Mean over the cells where the score is defined; NaN without any."""
    return float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")


def sample_weighted_mean(values: Floats, sizes: Floats) -> float:
    """Mean weighted by each cell's number of evaluated items, over the cells where the score is defined."""
    defined = np.isfinite(values)
    return float(values[defined] @ sizes[defined] / sizes[defined].sum()) if defined.any() else float("nan")


def cell_bootstrap(
    values: Floats, sizes: Floats | None = None, *, replicates: int = REPLICATES, seed: int = SEED
) -> Interval:
    """95% interval of the mean (sample-weighted where sizes are given) when cells are drawn with replacement."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(values), (replicates, len(values)))
    weights = np.ones(len(values)) if sizes is None else sizes
    return interval((values * weights)[drawn].sum(axis=1) / weights[drawn].sum(axis=1))


def compare_cells(method: Floats, baseline: Floats, differences: Floats | None = None) -> CellComparison:
    """Paired comparison over the cells where both scores are defined.

    ``differences`` replaces method - baseline where it is known to more digits than the two (published tables).
    """
    both = np.isfinite(method) & np.isfinite(baseline)
    x, y = method[both], baseline[both]
    d = x - y if differences is None else differences[both]
    if len(d) == 0:
        nan = float("nan")
        return CellComparison(0, nan, nan, nan, 0, Interval(nan, nan, 0), nan, nan)
    return CellComparison(
        cells=len(d),
        method=float(x.mean()),
        baseline=float(y.mean()),
        difference=float(d.mean()),
        positive=int((d > 0).sum()),
        interval=cell_bootstrap(d),
        p_one_sided=signed_rank(d, "greater"),
        p_two_sided=signed_rank(d, "two-sided"),
    )
