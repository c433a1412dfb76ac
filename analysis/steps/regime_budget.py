"""The regime call from few labelled records, on one benchmark: Table 6."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.estimators.admissibility import DECLARED
from analysis.estimators.regime.budget import BUDGETS, N_SAMPLES, BudgetSamples, budget_samples
from analysis.estimators.regime.coordinates import Coordinates, coordinates
from analysis.skip import Skip
from analysis.statistics.seeds import benchmark_seed
from analysis.steps.context import BenchmarkContext

SCOPE = "benchmark"
READS: tuple[str, ...] = ()


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """Both coordinates, the call and the apparent leader on 200 samples of each budget, against the full sample."""
    panel = context.votes
    votes = panel.votes[:, context.roster]
    whole = coordinates(votes, panel.gold)
    if np.isnan(whole.phi_bar[0]):
        raise Skip(
            "phi-bar has no value on the full sample: no pair of members committed on five items together"
        )
    seed = benchmark_seed(context.benchmark)
    samples = budget_samples(votes, panel.gold, panel.cluster, seed)
    return {
        "n_clusters": panel.n_clusters,
        "n_samples": N_SAMPLES,
        "seed": seed,
        "budgets": {str(sample.budget): _budget(sample, whole) for sample in samples},
        "beyond_the_benchmark": [budget for budget in BUDGETS if budget > panel.n_clusters],
    }


def _budget(sample: BudgetSamples, whole: Coordinates) -> dict[str, Any]:
    found = sample.coordinates
    readable = ~np.isnan(found.phi_bar)
    phi = found.phi_bar[readable]
    return {
        "n_items_median": float(np.median(sample.n_items)),
        "same_call": float((found.admissible(DECLARED) == whole.admissible(DECLARED)).mean()),
        "same_leader": float((found.leader == whole.leader).mean()),
        "phi_bar": _spread(phi, whole.phi_bar[0]),
        "competent": _spread(found.competent, whole.competent[0]),
        "competent_within_1": float((np.abs(found.competent - whole.competent[0]) <= 1).mean()),
        "excess": _spread(found.excess, whole.excess[0]),
        "undefined_kappas_mean": float(np.isnan(found.kappas).sum(axis=1).mean()),
        "unreadable_samples": int((~readable).sum()),
    }


def _spread(values: Floats | Ints, full: float) -> dict[str, Any]:
    """Median, quartiles and median distance from the full sample's value."""
    if len(values) == 0:
        empty = dict.fromkeys(("median", "quartiles", "error_median"))
        return {**empty, "reason": "no sample has a pair of members that committed on five items together"}
    return {
        "median": float(np.median(values)),
        "quartiles": [float(value) for value in np.percentile(values, [25, 75])],
        "error_median": float(np.median(np.abs(values - full))),
    }
