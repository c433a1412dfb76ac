"""Readings of the stacked panel where the classes are uneven: what each gains and costs (beyond the paper)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.combiners.best_single import best_cv
from analysis.combiners.priors import read_at_priors
from analysis.estimators.evaluation import METRICS, evaluate
from analysis.metrics.confusion import Confusion
from analysis.metrics.kappa import kappa
from analysis.panel.votes import VoteMatrix, require_analysable
from analysis.statistics.bootstrap import N_DRAWS
from analysis.statistics.folds import N_FOLDS, cluster_folds
from raim.errors import InputError

#: A share of the smaller class below this is far from even.
FAR_FROM_EVEN = 1 / 3


def prevalence_readings(
    panel: VoteMatrix, deployment_prior: float | None = None, n_draws: int = N_DRAWS
) -> dict[str, Any]:
    """Scores of the plain, the balanced and the deployment-prior reading, and their paired differences.

    Parameters
    ----------
    deployment_prior : share of hallucinated items to expect; without it the deployment reading is absent, with a reason

    Returns
    -------
    JSON-able values; ``warning`` is there where the classes are far from even.

    Raises
    ------
    InputError
        If the prior is not between 0 and 1, or the panel is one that no estimator is defined on.
    """
    if deployment_prior is not None and not 0 < deployment_prior < 1:
        raise InputError(f"deployment prior {deployment_prior}: give a number between 0 and 1")
    require_analysable(panel, N_FOLDS)
    votes, gold = panel.votes, panel.gold
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    read = read_at_priors(votes, gold, folds, N_FOLDS, deployment_prior)
    readings = {
        "plain": read.plain,
        "balanced": read.balanced,
        "class_weighted": read.class_weighted,
        "shifted": read.shifted,
    }
    if read.deployment is not None:
        readings["deployment"] = read.deployment
    single = best_cv(votes, gold, folds, N_FOLDS).predictions
    scores = evaluate({**readings, "best_cv": single}, gold, panel.cluster, n_draws=n_draws)
    pairs = [(name, "plain") for name in readings if name != "plain"]
    pairs += [(name, "best_cv") for name in readings]
    result: dict[str, Any] = {
        "prevalence": panel.prevalence,
        "far_from_even": min(panel.prevalence, 1 - panel.prevalence) < FAR_FROM_EVEN,
        "deployment_prior": deployment_prior,
        "balanced_by_fold": list(read.choice),
        "readings": {
            name: {
                **{metric: scores.score(name, metric) for metric in METRICS},
                **_recalls(verdicts, gold, deployment_prior),
            }
            for name, verdicts in readings.items()
        },
        "deltas": {f"{a}-{b}": {metric: scores.delta(a, b, metric) for metric in METRICS} for a, b in pairs},
    }
    if deployment_prior is None:
        result["reason"] = "no deployment prior was given, so that there is no reading for one"
    if result["far_from_even"]:
        result["warning"] = warning(panel.prevalence)
    return result


def warning(prevalence: float) -> str:
    """In words, what uneven classes do to the plain reading."""
    larger = "hallucinated" if prevalence > 1 / 2 else "supported"
    return (
        f"Classes are far from balanced: {prevalence:.1%} of the items are hallucinated. The plain reading, P > 0.5, "
        f"drifts to the larger class ({larger}); the balanced readings stand beside it."
    )


def prevalence_notes(values: Mapping[str, Any]) -> list[str]:
    """A warning where the classes are far from even, and what the reading for a deployment prior promises."""
    found = []
    if "warning" in values:
        found.append(f"{values['warning']} {_scores(values, 'plain')}; {_scores(values, 'balanced')}.")
    if values["deployment_prior"] is not None:
        plain, read = (values["readings"][name]["at_deployment_prior"] for name in ("plain", "deployment"))
        found.append(
            f"At {values['deployment_prior']:.1%} hallucinated items, the reading for that prior promises an accuracy "
            f"of {read['accuracy']:.3f} (kappa {read['kappa']:.3f}), the plain one {plain['accuracy']:.3f} "
            f"({plain['kappa']:.3f})."
        )
    return found


def _scores(values: Mapping[str, Any], name: str) -> str:
    kappa, accuracy = (values["readings"][name][metric] for metric in ("kappa", "balanced_accuracy"))
    return (
        f"{name}: kappa {kappa['resample_mean']:.3f} [{kappa['low']:.3f}, {kappa['high']:.3f}], balanced accuracy "
        f"{accuracy['resample_mean']:.1%}"
    )


def _recalls(verdicts: Floats, gold: Ints, prior: float | None) -> dict[str, Any]:
    """Recalls of both classes, share called hallucinated, and what the recalls mean at the deployment prior."""
    recall = float(verdicts[gold == 1].mean())
    specificity = float(1 - verdicts[gold == 0].mean())
    result: dict[str, Any] = {
        "recall_hallucinated": recall,
        "recall_supported": specificity,
        "called_hallucinated": float(verdicts.mean()),
    }
    if prior is not None:
        result["at_deployment_prior"] = {
            "kappa": kappa_at(recall, specificity, prior),
            "accuracy": prior * recall + (1 - prior) * specificity,
        }
    return result


def kappa_at(recall: float, specificity: float, prior: float) -> float:
    """Kappa of a judge with these recalls on a population with ``prior`` hallucinated items."""
    shares = (
        prior * recall,
        (1 - prior) * (1 - specificity),
        prior * (1 - recall),
        (1 - prior) * specificity,
    )
    counts = [np.array(share) for share in (*shares, prior, 1 - prior)]
    return float(kappa(Confusion(*counts)))
