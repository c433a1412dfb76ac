"""The cluster bootstrap within a cell: documents are drawn, not items (paper, Table 27)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.metrics.calibration import N_BINS, bin_of
from analysis.judgemoe.metrics.spearman import Ranking, correlations

REPLICATES = 1000
SEED = 13
#: Weights held at a time: many replicates of a small cell, few of a large one.
_BLOCK = 1 << 19


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
    """Blocks of replicates, (r, n): how often each item occurs when clusters are drawn with replacement."""
    codes, inverse = np.unique(clusters, return_inverse=True)
    rng = np.random.default_rng(seed)
    block = max(1, _BLOCK // max(1, len(clusters)))
    for start in range(0, replicates, block):
        size = min(block, replicates - start)
        # Drawn a replicate at a time, so that the draws do not depend on the size of the blocks.
        drawn = np.array(
            [np.bincount(rng.integers(0, len(codes), len(codes)), minlength=len(codes)) for _ in range(size)]
        )
        yield drawn.astype(np.float64)[:, inverse]


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
    binned = {name: bin_of(values)[:, None] == np.arange(N_BINS) for name, values in predictions.items()}
    parts: dict[str, dict[str, list[Floats]]] = {
        name: {key: [] for key in ("spearman", "mae", "ece")} for name in predictions
    }
    for weights in cluster_weights(clusters, replicates, seed):
        totals = weights.sum(axis=1)
        target_ranks = truth.midranks(weights)
        for name, found in parts.items():
            found["spearman"].append(correlations(ranked[name].midranks(weights), target_ranks, weights))
            found["mae"].append(weights @ np.abs(gaps[name]) / totals)
            found["ece"].append(np.abs(weights @ (gaps[name][:, None] * binned[name])).sum(axis=1) / totals)
    return {
        name: {key: np.concatenate(blocks) for key, blocks in found.items()} for name, found in parts.items()
    }
