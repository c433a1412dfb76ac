"""How little training data a gate needs (paper, Table 36)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis.judgemoe.cell import Cell

#: Fractions of the training split. The paper reports minima among values that include 0.05, 0.40, 0.70 and 1.
FRACTIONS = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
SEED = 13


def training_fraction(train: Cell, fraction: float, seed: int = SEED) -> Cell:
    """A seeded share of the training clusters, at least one; larger fractions contain the smaller ones."""
    codes = np.unique(train.clusters)
    order = np.random.default_rng(seed).permutation(codes)
    kept = order[: max(1, round(fraction * len(codes)))]
    return train.take(np.isin(train.clusters, kept))


def least_fraction(scores: Mapping[float, float], threshold: float, *, strict: bool = False) -> float | None:
    """Least fraction whose score reaches the threshold (exceeds it if ``strict``); None where none does."""
    reached = [
        f for f in sorted(scores) if (scores[f] > threshold if strict else scores[f] >= threshold - 1e-10)
    ]
    return reached[0] if reached else None


def gain_threshold(best_single: float, full: float, share: float) -> float:
    """Score that recovers a share of the full-data gain over the best single judge."""
    return best_single + share * (full - best_single)
