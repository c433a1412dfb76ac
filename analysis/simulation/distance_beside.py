"""The judges beside the panel and the second arms: what is fitted of them, and what follows, beside the publication.

Fitted are the arms' confusion tables, the widths of the members' gains in balanced accuracy and the majority's right
verdicts under the question-answering frame, and the purpose-trained judges' kappas, to half an item. The panel's gain,
the widths of the members' gains in kappa and the edge of a stacked panel of arms over its best single arm follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from analysis.combiners.best_single import best_cv
from analysis.combiners.stacked import stacked
from analysis.estimators.evaluation import evaluate
from analysis.panel.votes import VoteMatrix
from analysis.simulation.distance import distances, pair, published_mean_edges, score_pair
from analysis.simulation.targets import SecondFrame
from analysis.statistics.folds import N_FOLDS, cluster_folds

_FRAMES = ("def_on", "own")


def fit_of_frames(target: SecondFrame, contrast: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """How near the fitted quantities of a benchmark's second arms come.

    Parameters
    ----------
    contrast : by checkpoint, the judge's entry in the step ``frame_contrast``
    """
    widths = {
        member: _width_ratio((low, high), contrast[member]["delta"]["balanced_accuracy"])
        for member, (low, high) in target.gains.items()
    }
    return {
        "kappa_largest": max(
            abs(contrast[checkpoint]["def_on"]["kappa"]["estimate"] - scores.kappa)
            for checkpoint, scores in target.scores.items()
        ),
        "gain_width": widths,
    }


def compare_frames(
    published: Mapping[str, Any], contrast: Mapping[str, Any], arms: VoteMatrix, names: Mapping[str, str]
) -> dict[str, Any]:
    """One benchmark's frame contrast, simulated beside published.

    Parameters
    ----------
    published : ``frames`` of the benchmark's published values
    contrast : values of the step ``frame_contrast``
    arms : the members' second arms
    names : by checkpoint, the judge's name in the suite
    """
    panel = contrast["panel"]
    (frontier,) = contrast["comparators"].values()
    return {
        "panel": {
            frame: pair(published["panel"][frame], panel[frame]["balanced_accuracy"]["estimate"])
            for frame in _FRAMES
        },
        "panel_gain": {
            metric: _gain(published["panel_gain"][metric], panel["delta"][metric])
            for metric in ("balanced_accuracy", "kappa")
        },
        "frontier": {
            frame: pair(published["frontier"][frame], frontier[frame]["kappa"]["resample_mean"])
            for frame in _FRAMES
        },
        "members_gain_in_kappa": {
            names[checkpoint]: _gain(triple, contrast["members"][names[checkpoint]]["delta"]["kappa"])
            for checkpoint, triple in published["gains_in_kappa"].items()
        },
        "edge": _edge(published["edge"], arms),
    }


def trained_distances(kappas: Mapping[str, float], judges: Mapping[str, Any]) -> dict[str, Any]:
    """By name, the purpose-trained judges' printed kappas beside the simulated means of the draws."""
    return {name: pair(kappa, judges[name]["kappa"]["resample_mean"]) for name, kappa in kappas.items()}


def summarise_beside(benchmarks: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Distances over the benchmarks that have second arms, and of the purpose-trained judges; empty without."""
    framed = [entry["frames"] for entry in benchmarks.values() if "frames" in entry]
    trained = [pair for entry in benchmarks.values() for pair in entry.get("trained", {}).values()]
    result: dict[str, Any] = {"trained": distances(trained)} if trained else {}
    if framed:
        edges = published_mean_edges()
        fits = [entry["fit"]["frames"] for entry in benchmarks.values() if "frames" in entry]
        of_kappa = [one["width"] for entry in framed for one in entry["members_gain_in_kappa"].values()]
        result["frames"] = {
            "panel_def_on": distances(entry["panel"]["def_on"] for entry in framed),
            "panel_own": distances(entry["panel"]["own"] for entry in framed),
            "panel_gain": distances(entry["panel_gain"]["balanced_accuracy"] for entry in framed),
            "frontier_def_on": distances(entry["frontier"]["def_on"] for entry in framed),
            "gain_width": _spread(width for fit in fits for width in fit["gain_width"].values()),
            "gain_width_in_kappa": _spread(of_kappa),
            "mean_edge": pair(
                edges["def_on"], float(np.mean([entry["edge"]["simulated"] for entry in framed]))
            )
            | {"benchmarks": len(framed)},
        }
    return result


def _edge(published: float | None, arms: VoteMatrix) -> dict[str, Any]:
    """Stacked panel minus CV-best member of the arms, in kappa; the publication gives one benchmark's and the mean."""
    folds = cluster_folds(arms.n_clusters)[arms.cluster]
    predictions = {
        "stacked": stacked(arms.votes, arms.gold, folds, N_FOLDS).predictions,
        "best_cv": best_cv(arms.votes, arms.gold, folds, N_FOLDS).predictions,
    }
    delta = evaluate(predictions, arms.gold, arms.cluster).delta("stacked", "best_cv", "kappa")
    value = delta["resample_mean"]
    found = {"simulated": value, "interval": [delta["low"], delta["high"]], "reading": delta["reading"]}
    return found if published is None else pair(published, value) | found


def _gain(published: Sequence[float], simulated: Mapping[str, Any]) -> dict[str, Any]:
    ends = (published[1], published[2])
    return score_pair(published, simulated) | {"width": _width_ratio(ends, simulated)}


def _width_ratio(published: tuple[float, float], simulated: Mapping[str, Any]) -> float:
    """Width of a simulated interval over the published one's."""
    return float((simulated["high"] - simulated["low"]) / (published[1] - published[0]))


def _spread(ratios: Iterable[float]) -> dict[str, Any]:
    values = np.array(list(ratios))
    return {
        "mean": float(values.mean()),
        "smallest": float(values.min()),
        "largest": float(values.max()),
        "n": len(values),
    }
