"""Matched base and instruction-tuned checkpoints: what alignment does to the error correlation (appendix D)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.estimators.error_correlation import ErrorCorrelation, error_correlation, from_counts
from analysis.statistics.bootstrap import N_DRAWS, cluster_weights
from analysis.statistics.intervals import described, mean_of_defined
from analysis.values import plain

ARMS = ("base", "instruct")


@dataclass(frozen=True)
class Twins:
    """Both arms of k twins on the n items that all of them were asked about.

    Attributes
    ----------
    tags : names of the twins
    base, instruct : (n, k) votes, NaN = abstained
    gold : (n,)
    cluster : (n,) codes 0..R-1, each in use
    """

    tags: tuple[str, ...]
    base: Floats
    instruct: Floats
    gold: Ints
    cluster: Ints


def base_instruct(twins: Twins, n_draws: int = N_DRAWS, seed: int = 0) -> dict[str, Any]:
    """Mean pairwise error correlation of either arm and its shift, as plain values.

    Estimates are those of the sample; intervals are percentiles of cluster-bootstrap draws, the same for both arms.
    ``without`` leaves out one twin from both arms in turn, as the paper leaves out the one that collapsed to a single
    class. A pair with a side that never errs or always does is left out of the means where all votes are committed,
    and counted as 0 where not (the release's rule).
    """
    sample = {arm: _phi(votes, error_correlation(votes, twins.gold)) for arm, votes in _arms(twins)}
    draws = {arm: _drawn(votes, twins, n_draws, seed) for arm, votes in _arms(twins)}
    k = len(twins.tags)
    first, second = np.triu_indices(k, 1)
    result = {
        "n_items": len(twins.gold),
        "n_clusters": int(twins.cluster.max()) + 1,
        "n_draws": n_draws,
        "twins": {
            tag: {
                arm: {
                    "coverage": float((~np.isnan(votes[:, column])).mean()),
                    "hallucinated": _share(votes[:, column]),
                }
                for arm, votes in _arms(twins)
            }
            for column, tag in enumerate(twins.tags)
        },
        "pairs": {arm: [plain(value) for value in sample[arm][0]] for arm in ARMS},
        **_shift(sample, draws, np.ones(len(first), dtype=np.bool_)),
        "without": {},
    }
    if k > 2:
        result["without"] = {
            tag: _shift(sample, draws, (first != column) & (second != column))
            for column, tag in enumerate(twins.tags)
        }
    return result


def _arms(twins: Twins) -> tuple[tuple[str, Floats], tuple[str, Floats]]:
    return ("base", twins.base), ("instruct", twins.instruct)


def _phi(votes: Floats, correlation: ErrorCorrelation) -> Floats:
    """(s, pairs) correlations, NaN for a pair that the means leave out."""
    phi = correlation.pairs(correlation.phi)
    if np.isnan(votes).any():
        return phi
    return np.where(correlation.pairs(correlation.constant) == 1, np.nan, phi)


def _drawn(votes: Floats, twins: Twins, n_draws: int, seed: int) -> Floats:
    """(n_draws, pairs) correlations of every draw, from counts by cluster: one matrix product a block."""
    n_clusters, k = int(twins.cluster.max()) + 1, votes.shape[1]
    committed = (~np.isnan(votes)).astype(np.float64)
    errors = np.where(np.isnan(votes), 0.0, votes != twins.gold[:, None])
    products = [
        (left[:, :, None] * right[:, None, :]).reshape(len(votes), -1)
        for left, right in ((committed, committed), (errors, committed), (errors, errors))
    ]
    by_cluster = np.zeros((n_clusters, 3 * k * k))
    np.add.at(by_cluster, twins.cluster, np.hstack(products))
    parts = []
    for weights in cluster_weights(n_clusters, n_draws, seed):
        joint, mine, both = np.split((weights @ by_cluster).reshape(-1, 3 * k, k), 3, axis=1)
        parts.append(_phi(votes, from_counts(joint, mine, both)))
    return np.vstack(parts)


def _shift(sample: dict[str, Floats], draws: dict[str, Floats], pairs: Any) -> dict[str, Any]:
    points = {arm: mean_of_defined(sample[arm][:, pairs])[0] for arm in ARMS}
    drawn = {arm: mean_of_defined(draws[arm][:, pairs]) for arm in ARMS}
    points["shift"] = points["instruct"] - points["base"]
    drawn["shift"] = drawn["instruct"] - drawn["base"]
    return {name: _summary(float(points[name]), drawn[name]) for name in points}


def _summary(point: float, draws: Floats) -> dict[str, Any]:
    values = described(point, draws, "no pair of twins has a correlation")
    # The paper states the sample's value and its interval.
    del values["resample_mean"]
    return values


def _share(verdicts: Floats) -> float | None:
    committed = verdicts[~np.isnan(verdicts)]
    return float(committed.mean()) if len(committed) else None
