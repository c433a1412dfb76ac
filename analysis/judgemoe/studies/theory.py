"""The propositions on data: temperature, information beyond expected scores, flat judges (appendix B.7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import Ints
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.features import summaries
from analysis.judgemoe.pools.fixed import fit_pool
from analysis.judgemoe.theory.information import information_bound
from analysis.judgemoe.theory.temperature import estimate_temperature

#: Bins of the pooled expected score within which an auxiliary statistic may still explain the target.
BINS = 10
FEATURES = ("entropy", "confidence", "maximum")


def cell_theory(cell: Cell) -> dict[str, Any]:
    """Estimated T* of the uniform log pool, and the information bound of each mean judge statistic, in squared error.

    The bound conditions on the score vector of all judges; on data it is approximated by deciles of their mean
    expected score, so it is a readout, not a certificate. With two labels there is nothing beyond the score and the
    bound is 0 by Proposition 7 (iii).
    """
    if cell.score_source == "decoded":
        return {
            "n": len(cell.items),
            "temperature": None,
            "bounds": None,
            "reason": "decoded scores have no distributions",
        }
    statistics = summaries(cell)
    pooled = fit_pool(cell, "uniform", "linear").predict(cell)
    bins = _deciles(pooled)
    masses = np.full(len(pooled), 1.0 / len(pooled))
    bounds = {
        name: information_bound(masses, cell.targets, np.nanmean(statistics[name], axis=1), bins)
        for name in FEATURES
    }
    return {
        "n": len(cell.items),
        "temperature": estimate_temperature(cell),
        "target_variance": float(cell.targets.var()),
        # A statistic that says nothing still explains about one part in n of each bin.
        "chance_share": BINS / len(cell.items),
        "bounds": bounds if len(cell.labels) > 2 else dict.fromkeys(FEATURES, 0.0),
    }


def _deciles(values: Any) -> Ints:
    edges = np.quantile(values, np.linspace(0, 1, BINS + 1)[1:-1])
    bins: Ints = np.searchsorted(edges, values, side="right")
    return bins
