"""The panel from one member to all, in a greedy decorrelating order (appendix B, Figure 6a)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats
from analysis.combiners.subsets import stacked_subsets, unweighted_subsets
from analysis.estimators.error_correlation import error_correlation
from analysis.estimators.evaluation import Evaluation, evaluate
from analysis.metrics.balanced_accuracy import committed_balanced_accuracy
from analysis.metrics.confusion import confusion
from analysis.panel.votes import VoteMatrix
from analysis.statistics.bootstrap import N_DRAWS
from analysis.statistics.folds import N_FOLDS, cluster_folds


@dataclass(frozen=True)
class PanelSize:
    """Scores at every size K = 1..k.

    Attributes
    ----------
    order : columns in the order in which they join
    scores : of ``stacked:K`` and ``unweighted:K``, K members; one member stacked is a regression on one feature, and
        one member unweighted its own votes
    mean_phi, max_phi : (k,) over the pairs among the first K; NaN for K = 1 and where no pair is readable
    """

    order: tuple[int, ...]
    scores: Evaluation
    mean_phi: Floats
    max_phi: Floats


def panel_size(panel: VoteMatrix, roster: list[int], n_draws: int = N_DRAWS) -> PanelSize:
    """Start with the member of the highest balanced accuracy on the items it committed on, and refit at each size.

    ``roster`` lists the columns of the panel in the order in which ties are broken.
    """
    k = panel.n_members
    phi = error_correlation(panel.votes, panel.gold).phi[0]
    competence = committed_balanced_accuracy(confusion(panel.votes, panel.gold))
    order = decorrelating_order(phi, max(roster, key=lambda column: float(competence[column])), roster)

    rank = np.argsort(order)
    subsets = rank < np.arange(1, k + 1)[:, None]
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    stackers = stacked_subsets(panel.votes, panel.gold, folds, N_FOLDS, subsets)
    by_pattern = unweighted_subsets(stackers.patterns.rows, subsets)
    predictions: dict[str, Floats] = {}
    for method, verdicts in (
        ("stacked", stackers.predictions(folds)),
        ("unweighted", by_pattern[:, stackers.patterns.index].T),
    ):
        predictions |= {f"{method}:{size}": verdicts[:, size - 1] for size in range(1, k + 1)}

    pairs = [phi[np.ix_(order[:size], order[:size])][np.triu_indices(size, 1)] for size in range(1, k + 1)]
    read = [values[~np.isnan(values)] for values in pairs]
    return PanelSize(
        order=tuple(order),
        scores=evaluate(predictions, panel.gold, panel.cluster, n_draws=n_draws),
        mean_phi=np.array([values.mean() if len(values) else np.nan for values in read]),
        max_phi=np.array([values.max() if len(values) else np.nan for values in read]),
    )


def decorrelating_order(phi: Floats, first: int, roster: list[int]) -> list[int]:
    """Columns from ``first`` on, each the one whose mean phi with those before it is smallest.

    Parameters
    ----------
    phi : (k, k) error correlations; an unreadable pair (NaN) counts as 1
    roster : columns in the order in which ties are broken
    """
    known = np.where(np.isnan(phi), 1.0, phi)
    order = [first]
    while len(order) < len(roster):
        left = [column for column in roster if column not in order]
        means = known[np.ix_(left, order)].mean(axis=1)
        order.append(left[int(means.argmin())])
    return order
