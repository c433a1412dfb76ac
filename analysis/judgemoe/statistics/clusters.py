"""The cluster bootstrap within a cell: documents are drawn, not items (paper, Table 27)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.metrics.calibration import N_BINS, bin_of
from analysis.judgemoe.metrics.spearman import Ranking, correlation

REPLICATES = 1000
SEED = 13


@dataclass(frozen=True)
class Interval:
    """A percentile interval of a statistic with the replicates in which it was defined."""

    low: float
    high: float
    replicates: int


@dataclass(frozen=True)
class Difference:
    """A paired difference: its interval and the two-sided bootstrap p-value of no difference."""

    estimate: float
    interval: Interval
    p_value: float


def interval(draws: Floats, level: float = 0.95) -> Interval:
    """Percentile interval over the defined replicates; NaN ends where none is."""
    defined = draws[np.isfinite(draws)]
    if len(defined) == 0:
        return Interval(float("nan"), float("nan"), 0)
    tail = 100.0 * (1.0 - level) / 2.0
    low, high = np.percentile(defined, [tail, 100.0 - tail])
    return Interval(float(low), float(high), len(defined))


def two_sided_p(draws: Floats) -> float:
    """min(1, 2 min(P(d <= 0), P(d >= 0))) with one replicate added to each side, so that it is never 0."""
    defined = draws[np.isfinite(draws)]
    if len(defined) == 0:
        return float("nan")
    tails = min(int((defined <= 0.0).sum()), int((defined >= 0.0).sum()))
    return min(1.0, 2.0 * (1 + tails) / (len(defined) + 1))


def cluster_weights(clusters: Ints, replicates: int = REPLICATES, seed: int = SEED) -> Iterator[Floats]:
    """Per replicate, (n,) how often each item occurs when clusters are drawn with replacement."""
    codes, inverse = np.unique(clusters, return_inverse=True)
    rng = np.random.default_rng(seed)
    for _ in range(replicates):
        drawn = np.bincount(rng.integers(0, len(codes), len(codes)), minlength=len(codes)).astype(np.float64)
        yield drawn[inverse]


def bootstrap_metrics(
    predictions: Mapping[str, Floats],
    targets: Floats,
    clusters: Ints,
    *,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> dict[str, dict[str, Floats]]:
    """Replicates of Spearman, MAE and ECE for several predictions of the same items, all on the same draws.

    Predictions must be defined on every item given (drop the others first, for all methods alike, so that the
    comparison is paired). Returns ``{method: {"spearman" | "mae" | "ece": (replicates,)}}``.
    """
    truth = Ranking.of(targets)
    ranked = {name: Ranking.of(values) for name, values in predictions.items()}
    gaps = {name: values - targets for name, values in predictions.items()}
    bins = {name: bin_of(values) for name, values in predictions.items()}
    out = {name: {key: np.empty(replicates) for key in ("spearman", "mae", "ece")} for name in predictions}
    for replicate, weights in enumerate(cluster_weights(clusters, replicates, seed)):
        total = weights.sum()
        target_ranks = truth.midranks(weights)
        for name, draws in out.items():
            draws["spearman"][replicate] = correlation(ranked[name].midranks(weights), target_ranks, weights)
            draws["mae"][replicate] = weights @ np.abs(gaps[name]) / total
            binned = np.bincount(bins[name], weights * gaps[name], minlength=N_BINS)
            draws["ece"][replicate] = np.abs(binned).sum() / total
    return out
