"""Item-level recovery: does the panel recover its leader's errors where other members are right? (appendix B)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import pointbiserialr

from analysis.arrays import Bools, Floats, Ints
from analysis.combiners.best_single import best_cv
from analysis.combiners.stacked import stacked
from analysis.panel.votes import VoteMatrix
from analysis.statistics.fixed_effects import penalised_slope, slope
from analysis.statistics.folds import N_FOLDS, cluster_folds

#: Items from which a benchmark's own correlation is read (the release's rule).
MIN_ITEMS = 31


@dataclass(frozen=True)
class LeaderErrors:
    """The m items on which the CV-best single member commits and is wrong.

    Attributes
    ----------
    correct : (m,) number of members that committed and are right
    share : (m,) ``correct`` over the committed members, the leader among them
    recovered : (m,) whether the stacked panel is right
    cluster : (m,) cluster code of each item
    """

    correct: Ints
    share: Floats
    recovered: Bools
    cluster: Ints


def leader_errors(panel: VoteMatrix) -> LeaderErrors:
    """The items of one benchmark that the recovery test is read on; both predictions are out of fold."""
    votes, gold = panel.votes, panel.gold
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    leader = best_cv(votes, gold, folds, N_FOLDS).predictions
    panel_says = stacked(votes, gold, folds, N_FOLDS).predictions
    # The leader committed, so at least one member did.
    wrong = ~np.isnan(leader) & (leader != gold) & ~np.isnan(panel_says)
    correct = (votes == gold[:, None]).sum(axis=1)[wrong]
    committed = (~np.isnan(votes)).sum(axis=1)[wrong]
    return LeaderErrors(correct, correct / committed, (panel_says == gold)[wrong], panel.cluster[wrong])


def recovery(benchmarks: Mapping[str, LeaderErrors]) -> dict[str, Any]:
    """Table 4 and the regression beside it, as plain values; benchmarks in the order of the tables.

    The point-biserial correlation is Pearson's between recovery (0 or 1) and the share of members that are right.
    The regression is of recovery on that share with a constant for each benchmark (the first is the reference).
    """
    names = [name for name, items in benchmarks.items() if len(items.recovered)]
    if not names:
        raise ValueError("no item on which a leader errs")
    correct = np.concatenate([benchmarks[name].correct for name in names])
    share = np.concatenate([benchmarks[name].share for name in names])
    recovered = np.concatenate([benchmarks[name].recovered for name in names])
    sizes = [len(benchmarks[name].recovered) for name in names]
    groups = np.repeat(np.arange(len(names)), sizes)
    # Clusters of different benchmarks are different clusters.
    clusters = np.concatenate([benchmarks[name].cluster for name in names])
    _, records = np.unique(np.column_stack([groups, clusters]), axis=0, return_inverse=True)
    per_benchmark = {name: _benchmark(items) for name, items in benchmarks.items()}
    defined = [entry["r"] for entry in per_benchmark.values() if entry["r"] is not None]
    return {
        "n_items": len(recovered),
        "n_recovered": int(recovered.sum()),
        "by_correct": _by_correct(correct, recovered),
        "benchmarks": per_benchmark,
        "correlation": {
            **_correlation(share, recovered, 1),
            "median": float(np.median(defined)) if defined else None,
            "positive": sum(r > 0 for r in defined),
            "defined": len(defined),
        },
        "regression": slope(share, recovered, groups, records.ravel(), names),
        "penalised": penalised_slope(share, recovered, groups),
    }


def _by_correct(correct: Ints, recovered: Bools) -> list[dict[str, Any]]:
    rows = []
    for count in range(int(correct.max()) + 1):
        here = recovered[correct == count]
        rows.append(
            {
                "members_correct": count,
                "n": len(here),
                "recovered": int(here.sum()),
                **({"share": float(here.mean())} if len(here) else {"share": None, "reason": "no such item"}),
            }
        )
    return rows


def _benchmark(items: LeaderErrors) -> dict[str, Any]:
    n = len(items.recovered)
    return {
        "n": n,
        "recovered": int(items.recovered.sum()),
        "share": float(items.recovered.mean()) if n else None,
        **_correlation(items.share, items.recovered, MIN_ITEMS),
    }


def _correlation(share: Floats, recovered: Bools, least: int) -> dict[str, Any]:
    """r and its two-sided p, or the reason why there is none."""
    if len(recovered) < least:
        return {"r": None, "p": None, "reason": f"fewer than {least} items on which the leader errs"}
    if recovered.all() or not recovered.any():
        return {"r": None, "p": None, "reason": "the panel recovers all or none of these items"}
    if np.ptp(share) == 0:
        return {"r": None, "p": None, "reason": "the same share of members is right on all of these items"}
    result = pointbiserialr(recovered, share)
    return {"r": float(result.statistic), "p": float(result.pvalue)}
