"""The stacker without each member in turn (appendix B, Figure 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats
from analysis.combiners.subsets import best_cv_choices, chosen_votes, stacked_subsets
from analysis.estimators.evaluation import Evaluation, evaluate
from analysis.panel.votes import VoteMatrix
from analysis.statistics.bootstrap import N_DRAWS
from analysis.statistics.folds import N_FOLDS, cluster_folds


@dataclass(frozen=True)
class LeaveOneOut:
    """Scores of the full and the reduced panels on the same draws.

    Attributes
    ----------
    scores : of ``stacked`` and ``best_cv``, and of both with ``:<member>`` behind, the panel without that member
    largest_gradient : over all fits, at the solution; NaN without a fit
    """

    scores: Evaluation
    largest_gradient: float


def leave_one_out(panel: VoteMatrix, n_draws: int = N_DRAWS) -> LeaveOneOut:
    """Refit the stacker, on the same folds, without each member of a panel of two at least."""
    k = panel.n_members
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    subsets = np.vstack([np.ones((1, k), dtype=np.bool_), ~np.eye(k, dtype=np.bool_)])
    stackers = stacked_subsets(panel.votes, panel.gold, folds, N_FOLDS, subsets)
    choices = best_cv_choices(panel.votes, panel.gold, folds, N_FOLDS, subsets)
    endings = ["", *(f":{member}" for member in panel.members)]
    predictions: dict[str, Floats] = {}
    for method, verdicts in (
        ("stacked", stackers.predictions(folds)),
        ("best_cv", chosen_votes(panel.votes, folds, choices)),
    ):
        predictions |= {f"{method}{ending}": verdicts[:, column] for column, ending in enumerate(endings)}
    fitted = stackers.gradients[~np.isnan(stackers.gradients)]
    return LeaveOneOut(
        scores=evaluate(predictions, panel.gold, panel.cluster, n_draws=n_draws),
        largest_gradient=float(fitted.max()) if len(fitted) else float("nan"),
    )
