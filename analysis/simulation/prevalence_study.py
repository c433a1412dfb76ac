"""What each reading of the stacked panel costs, over class shares: a simulation with known truth.

The members' error rates by class stay; the shares of the classes move. Two questions are asked of every share: how the
readings do on a panel whose labelled records have that share, and how a panel calibrated on even classes does where it
is used on items of that share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from analysis.combiners.priors import read_at_priors
from analysis.estimators.prevalence import kappa_at
from analysis.metrics.balanced_accuracy import balanced_accuracy
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.simulation.panel import PanelModel, draw_records
from analysis.statistics.folds import N_FOLDS, cluster_folds

PREVALENCES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
N_RECORDS = 1000
N_REPLICATES = 50
READINGS = ("plain", "class_weighted", "shifted", "balanced")


def prevalence_study(
    model: PanelModel,
    *,
    prevalences: Sequence[float] = PREVALENCES,
    n_records: int = N_RECORDS,
    n_replicates: int = N_REPLICATES,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """One entry a share: mean scores over the replicates, undefined ones left out and counted.

    Parameters
    ----------
    model : a population of one-item records
    n_records : labelled records of each replicate

    Returns
    -------
    ``same``: by reading, kappa and balanced accuracy on records of that share, out of fold; ``from_even``: kappa and
    accuracy there of a panel calibrated on even classes, plain and read at that prior, from its recalls out of fold
    """
    even = _with_prevalence(model, 0.5)
    result = []
    for position, prevalence in enumerate(prevalences):
        here = _with_prevalence(model, prevalence)
        same: dict[str, list[tuple[float, float]]] = {name: [] for name in READINGS}
        moved: dict[str, list[tuple[float, float]]] = {"plain": [], "deployment": []}
        for replicate in range(n_replicates):
            rng = np.random.default_rng([seed, position, replicate])
            for name, scores in _same(here, n_records, rng).items():
                same[name].append(scores)
            for name, scores in _moved(even, n_records, prevalence, rng).items():
                moved[name].append(scores)
        result.append(
            {
                "prevalence": prevalence,
                "same": {name: _means(values, "balanced_accuracy") for name, values in same.items()},
                "from_even": {name: _means(values, "accuracy") for name, values in moved.items()},
            }
        )
    return result


def _with_prevalence(model: PanelModel, prevalence: float) -> PanelModel:
    return replace(
        model, compositions=((1, 0), (0, 1)), weights=np.array([1 - prevalence, prevalence]), dependence=0.0
    )


def _same(model: PanelModel, n_records: int, rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """Kappa and balanced accuracy of each reading on one sample."""
    sample = draw_records(model, n_records, rng)
    folds = cluster_folds(n_records)[sample.record]
    read = read_at_priors(sample.votes, sample.gold, folds, N_FOLDS)
    counts = confusion(np.column_stack([getattr(read, name) for name in READINGS]), sample.gold)
    scores = zip(kappa(counts), balanced_accuracy(counts), strict=True)
    return {name: (float(k), float(b)) for name, (k, b) in zip(READINGS, scores, strict=True)}


def _moved(
    even: PanelModel, n_records: int, prior: float, rng: np.random.Generator
) -> dict[str, tuple[float, float]]:
    """Kappa and accuracy at a prior of a panel calibrated on even classes, plain and read at that prior."""
    sample = draw_records(even, n_records, rng)
    gold = sample.gold
    read = read_at_priors(sample.votes, gold, cluster_folds(n_records)[sample.record], N_FOLDS, prior)
    scores = {}
    for name in ("plain", "deployment"):
        verdicts = getattr(read, name)
        recall, specificity = float(verdicts[gold == 1].mean()), float(1 - verdicts[gold == 0].mean())
        scores[name] = kappa_at(recall, specificity, prior), prior * recall + (1 - prior) * specificity
    return scores


def _means(values: Sequence[tuple[float, float]], second: str) -> dict[str, Any]:
    table = np.array(values)
    undefined = int(np.isnan(table[:, 0]).sum())
    return {
        "kappa": float(np.nanmean(table[:, 0])) if undefined < len(table) else None,
        second: float(np.nanmean(table[:, 1])),
        "undefined": undefined,
        **({"reason": "no replicate has items of both classes"} if undefined == len(table) else {}),
    }
