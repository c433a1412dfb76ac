"""The comparator ladder of one vote matrix: methods, scores, differences and calls, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.combiners import dawid_skene as ds
from analysis.estimators.admissibility import DECLARED, Admissibility, Thresholds, admissibility
from analysis.estimators.combine import Combined, combine
from analysis.estimators.evaluation import METRICS, Evaluation, Metric, evaluate
from analysis.metrics.coverage import coverage
from analysis.metrics.f1 import hallucinated_f1
from analysis.panel.votes import VoteMatrix, require_analysable
from analysis.statistics.bootstrap import N_DRAWS
from analysis.statistics.folds import N_FOLDS, cluster_folds, training_clusters
from analysis.statistics.readings import at_chance, verdict
from analysis.values import plain

#: Methods in the order of Tables 15 and 16, with Dawid-Skene after the label-free majority.
METHODS = (
    "unweighted",
    "dawid_skene",
    "accuracy_weighted",
    "log_odds_weighted",
    "average_member",
    "best_on_average",
    "best_cv",
    "oracle",
    "stacked",
)
#: Paired differences: those of the release's ladder, of its Dawid-Skene step and of Table 17.
PAIRS = (
    ("stacked", "best_cv"),
    ("stacked", "oracle"),
    ("stacked", "best_on_average"),
    ("stacked", "average_member"),
    ("stacked", "unweighted"),
    ("stacked", "dawid_skene"),
    ("accuracy_weighted", "unweighted"),
    ("accuracy_weighted", "best_cv"),
    ("log_odds_weighted", "unweighted"),
    ("log_odds_weighted", "best_cv"),
    ("best_cv", "unweighted"),
    ("best_cv", "oracle"),
    ("best_cv", "best_on_average"),
    ("unweighted", "best_cv"),
    ("unweighted", "oracle"),
    ("unweighted", "best_on_average"),
    ("unweighted", "average_member"),
    ("dawid_skene", "best_cv"),
)
_COMMON = "stacked where best_cv commits"
_NO_ORACLE = "no member has a defined kappa"


def ladder(
    panel: VoteMatrix,
    *,
    best_on_average: str | None = None,
    dawid_skene: ds.Setting = ds.DEFAULT,
    thresholds: Thresholds = DECLARED,
    n_draws: int = N_DRAWS,
) -> dict[str, Any]:
    """All estimators of a benchmark's row in Tables 1, 15, 16, 17 and 22 and Figure 10, as JSON-able values.

    Undefined values are None with a ``reason`` beside them. ``docs/audit.md`` lists the keys.

    Parameters
    ----------
    best_on_average : the suite's best-on-average member, which one benchmark cannot know; without it that
        method and its differences are absent

    Raises
    ------
    InputError
        If gold has one class, there are fewer clusters than folds, or a member never commits.
    """
    require_analysable(panel, N_FOLDS)
    combined = combine(panel, best_on_average, dawid_skene)
    scores = _evaluate(panel, combined, n_draws)
    methods = [m for m in METHODS if m != "best_on_average" or best_on_average is not None]
    call = admissibility(panel.votes, panel.gold, thresholds)
    return {
        "n_items": panel.n_items,
        "n_clusters": panel.n_clusters,
        "prevalence": panel.prevalence,
        "n_folds": N_FOLDS,
        "smallest_training_pool": int(training_clusters(cluster_folds(panel.n_clusters)).min()),
        "n_draws": n_draws,
        "seed": 0,
        "members": _members(panel, scores),
        "methods": {m: {metric: _score(scores, m, metric) for metric in METRICS} for m in methods},
        "deltas": {
            f"{a}-{b}": {metric: _delta(scores, a, b, metric) for metric in METRICS}
            for a, b in PAIRS
            if a in methods and b in methods
        },
        "common_denominator": {
            "stacked-best_cv": {
                "n_common": scores.committed("best_cv"),
                "kappa": scores.delta(_COMMON, "best_cv", "kappa"),
            }
        },
        "choices": {
            "best_cv": [panel.members[column] for column in combined.best_cv.choice],
            "oracle": None if combined.oracle is None else panel.members[combined.oracle],
            "best_on_average": best_on_average,
        },
        "weights": _weights(panel.members, combined),
        "dawid_skene": _dawid_skene(panel.members, combined.dawid_skene, dawid_skene),
        "admissibility": _admissibility(call, thresholds),
        "at_chance": at_chance(scores.interval("stacked", "kappa")),
        "verdict": verdict(
            scores.difference("stacked", "best_cv", "kappa"),
            None if combined.oracle is None else scores.difference("stacked", "oracle", "kappa"),
        ),
    }


def _evaluate(panel: VoteMatrix, combined: Combined, n_draws: int) -> Evaluation:
    """Members, methods and the stacked panel on the CV-best member's items, all on the same draws."""
    keys = [_member_key(member) for member in panel.members]
    silent = np.isnan(combined.predictions["best_cv"])
    predictions = {key: panel.votes[:, column] for column, key in enumerate(keys)}
    predictions |= combined.predictions
    predictions[_COMMON] = np.where(silent, np.nan, combined.predictions["stacked"])
    averages = {"average_member": keys}
    return evaluate(predictions, panel.gold, panel.cluster, averages=averages, n_draws=n_draws)


def _member_key(member: str) -> str:
    """A member's name among the methods: apart from a method of the same name."""
    return f"member:{member}"


def _score(scores: Evaluation, method: str, metric: Metric) -> dict[str, Any]:
    if method in scores.columns:
        return scores.score(method, metric)
    empty = dict.fromkeys(("estimate", "resample_mean", "low", "high"))
    return {**empty, "n_scored": 0, "n_total": int(scores.counts.total[0]), "reason": _NO_ORACLE}


def _delta(scores: Evaluation, first: str, second: str, metric: Metric) -> dict[str, Any]:
    if second in scores.columns:
        return scores.delta(first, second, metric)
    keys = ("estimate", "resample_mean", "low", "high", "p_one_sided", "p_text", "reading")
    return {**dict.fromkeys(keys), "reason": _NO_ORACLE}


def _members(panel: VoteMatrix, scores: Evaluation) -> dict[str, Any]:
    f1, covered = hallucinated_f1(scores.counts), coverage(scores.counts)
    result = {}
    for name in panel.members:
        key = _member_key(name)
        column = scores.columns[key]
        full = {metric: scores.score(key, metric) for metric in METRICS}
        entry: dict[str, Any] = {metric: full[metric]["estimate"] for metric in METRICS}
        entry["coverage"] = float(covered[column])
        entry["hallucinated_f1"] = plain(f1[column])
        entry["n_scored"], entry["n_total"] = full["kappa"]["n_scored"], full["kappa"]["n_total"]
        if "reason" in full["kappa"]:
            entry["reason"] = full["kappa"]["reason"]
        entry["resamples"] = {
            metric: {k: full[metric][k] for k in ("resample_mean", "low", "high", "undefined_draws")}
            for metric in METRICS
        }
        result[name] = entry
    return result


def _weights(members: Sequence[str], combined: Combined) -> dict[str, Any]:
    """Weights of each fold with mean, population sd and rank (Figure 10)."""
    fits = combined.stacked
    coefficients = fits.coefficients[fits.fitted]
    stacked: dict[str, Any] = {
        "n_fits": int(fits.fitted.sum()),
        "largest_gradient": float(fits.gradients[fits.fitted].max()) if fits.fitted.any() else None,
        "intercept": _summary(fits.intercepts),
        "members": {name: _summary(fits.coefficients[:, column]) for column, name in enumerate(members)},
    }
    if len(coefficients):
        # The largest mean weight ranks 1; twins differ by the solver's rounding only and share a rank.
        means = np.round(coefficients.mean(axis=0), 9)
        ranks = 1 + (means[None, :] > means[:, None]).sum(axis=1)
        for name, rank in zip(members, ranks, strict=True):
            stacked["members"][name]["rank"] = int(rank)
    return {
        "stacked": stacked,
        "accuracy_weighted": _by_member(members, combined.accuracy_weighted.weights),
        "log_odds_weighted": _by_member(members, combined.log_odds_weighted.weights),
    }


def _by_member(members: Sequence[str], weights: Floats) -> dict[str, Any]:
    return {name: _summary(weights[:, column]) for column, name in enumerate(members)}


def _summary(by_fold: Floats) -> dict[str, Any]:
    fitted = by_fold[~np.isnan(by_fold)]
    return {
        "mean": float(fitted.mean()) if len(fitted) else None,
        "sd": float(fitted.std()) if len(fitted) else None,
        "folds": [plain(value) for value in by_fold],
    }


def _dawid_skene(members: Sequence[str], fit: ds.DawidSkene, setting: ds.Setting) -> dict[str, Any]:
    return {
        "iterations": fit.iterations,
        "converged": fit.converged,
        "last_change": fit.last_change,
        "tolerance": setting.tolerance,
        "prior": fit.prior,
        "members": {
            name: {
                "true_positive_rate": float(fit.confusion[1, column, 1]),
                "false_positive_rate": float(fit.confusion[0, column, 1]),
            }
            for column, name in enumerate(members)
        },
    }


def _admissibility(call: Admissibility, thresholds: Thresholds) -> dict[str, Any]:
    result: dict[str, Any] = {
        "phi_bar": call.phi_bar,
        "n_eff": call.n_eff,
        "competent": call.competent,
        "required": call.required,
        "admissible": call.admissible,
        "thresholds": {"kappa": thresholds.kappa, "share": thresholds.share, "phi": thresholds.phi},
        "pairs": {"total": call.pairs, "skipped": call.skipped, "constant": call.constant},
        "phi": [[plain(value) for value in row] for row in call.phi],
    }
    if call.phi_bar is None:
        result["reason"] = (
            "one member: no pair"
            if call.pairs == 0
            else "no pair of members committed on five items together"
        )
    elif call.n_eff is None:
        result["reason"] = "the pairs' correlations are too negative for 1 + (k - 1) phi_bar to be positive"
    return result
