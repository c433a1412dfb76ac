"""The stacker's own budget on one benchmark: Table 7 and Figure 6(b)."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.estimators.learning_curve import N_REPLICATES, Point, learning_curve
from analysis.statistics.folds import N_FOLDS
from analysis.statistics.seeds import benchmark_seed
from analysis.steps.context import BenchmarkContext
from analysis.values import plain

SCOPE = "benchmark"
READS = ("ladder",)
_UNDEFINED = "the predictions of every replicate are constant, or a fold's records have one class"


def derive(context: BenchmarkContext) -> dict[str, Any]:
    """Kappas of the stacker and of the best single member on the same records, by budget; the two self-checks."""
    seed = benchmark_seed(context.benchmark)
    curve = learning_curve(context.votes, seed)
    reported = context.derived.read(context.benchmark, "ladder")["methods"]["stacked"]["kappa"][
        "resample_mean"
    ]
    full = plain(curve.points[-1].stacked.mean()) if len(curve.points[-1].stacked) else None
    by_fold = None if np.isnan(curve.by_fold).any() else float(curve.by_fold.mean())
    return {
        "n_items": context.votes.n_items,
        "n_clusters": context.votes.n_clusters,
        "n_folds": N_FOLDS,
        "n_replicates": N_REPLICATES,
        "seed": seed,
        "pool": curve.pool,
        "unweighted": plain(curve.unweighted),
        "budgets": {str(point.budget): _point(point) for point in curve.points},
        "full_pool": {
            "kappa": full,
            "reported": reported,
            "gap": None if full is None or reported is None else abs(full - reported),
            "mean_of_folds": by_fold,
            "gap_of_folds": None if full is None or by_fold is None else abs(by_fold - full),
        },
    }


def _point(point: Point) -> dict[str, Any]:
    return {
        "full": point.full,
        "replicates": len(point.stacked),
        "degenerate": point.degenerate,
        "stacked": _summary(point.stacked),
        "best_single": _summary(point.best_single),
    }


def _summary(kappas: Floats) -> dict[str, Any]:
    defined = kappas[~np.isnan(kappas)]
    if len(defined) == 0:
        return {**dict.fromkeys(("mean", "median", "low", "high")), "defined": 0, "reason": _UNDEFINED}
    low, high = np.percentile(defined, [25, 75])
    return {
        "mean": float(defined.mean()),
        "median": float(np.median(defined)),
        "low": float(low),
        "high": float(high),
        "defined": len(defined),
    }
