"""Offline best-of-N: picking the candidate of each group by a method's score (paper, Table 39)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.metrics.ties import snapped


@dataclass(frozen=True)
class BestOfN:
    """Groups of two or more candidates, their mean size, and the mean human score of the pick and of the best pick."""

    groups: int
    mean_candidates: float
    best_score: float
    picked_score: float


def best_of_n(predictions: Floats, targets: Floats, groups: Ints) -> BestOfN:
    """Pick the highest prediction of each group; tied picks count by their mean, so that item order plays no part.

    Items without a prediction are no candidates. All fields but ``groups`` are NaN where no group has two candidates.
    """
    defined = np.isfinite(predictions)
    p, y = snapped(predictions[defined]), targets[defined]
    codes, inverse, sizes = np.unique(groups[defined], return_inverse=True, return_counts=True)
    highest = np.full(len(codes), -np.inf)
    np.maximum.at(highest, inverse, p)
    best = np.full(len(codes), -np.inf)
    np.maximum.at(best, inverse, y)
    tied = p == highest[inverse]
    picked = np.bincount(inverse[tied], y[tied], minlength=len(codes)) / np.bincount(
        inverse[tied], minlength=len(codes)
    )
    real = sizes >= 2
    if not real.any():
        nan = float("nan")
        return BestOfN(0, nan, nan, nan)
    return BestOfN(
        int(real.sum()), float(sizes[real].mean()), float(best[real].mean()), float(picked[real].mean())
    )
