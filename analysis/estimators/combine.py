"""Every way of turning one panel's votes into verdicts, run on one vote matrix."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.arrays import Floats, Ints
from analysis.combiners import dawid_skene as ds
from analysis.combiners.best_single import BestSingle, best_cv, oracle
from analysis.combiners.stacked import Stacked, stacked
from analysis.combiners.unweighted import unweighted
from analysis.combiners.weighted import WeightedVote, accuracy_weighted, log_odds_weighted
from analysis.panel.votes import VoteMatrix
from analysis.statistics.folds import N_FOLDS, cluster_folds


@dataclass(frozen=True)
class Combined:
    """Verdicts of every method on a panel, before any scoring.

    Attributes
    ----------
    folds : (n,) fold of each item
    predictions : by method, (n,) verdicts, NaN = abstained
    stacked, best_cv, accuracy_weighted, log_odds_weighted, dawid_skene : the fits behind them
    oracle, best_on_average : column of the member chosen; None where undefined or not asked for
    """

    folds: Ints
    predictions: dict[str, Floats]
    stacked: Stacked
    best_cv: BestSingle
    accuracy_weighted: WeightedVote
    log_odds_weighted: WeightedVote
    dawid_skene: ds.DawidSkene
    oracle: int | None
    best_on_average: int | None


def combine(
    panel: VoteMatrix, best_on_average: str | None = None, dawid_skene: ds.Setting = ds.DEFAULT
) -> Combined:
    """Run every combiner on a panel; supervised ones strictly out of fold.

    ``best_on_average`` names the suite's best-on-average member, which one benchmark cannot know.
    """
    votes, gold = panel.votes, panel.gold
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    fits = stacked(votes, gold, folds, N_FOLDS)
    choice = best_cv(votes, gold, folds, N_FOLDS)
    accuracy = accuracy_weighted(votes, gold, folds, N_FOLDS)
    log_odds = log_odds_weighted(votes, gold, folds, N_FOLDS)
    latent = ds.dawid_skene(votes, dawid_skene)
    best = oracle(votes, gold)
    average = None if best_on_average is None else panel.members.index(best_on_average)
    predictions = {
        "unweighted": unweighted(votes),
        "dawid_skene": latent.predictions,
        "accuracy_weighted": accuracy.predictions,
        "log_odds_weighted": log_odds.predictions,
        "best_cv": choice.predictions,
        "stacked": fits.predictions,
    }
    if best is not None:
        predictions["oracle"] = votes[:, best]
    if average is not None:
        predictions["best_on_average"] = votes[:, average]
    return Combined(folds, predictions, fits, choice, accuracy, log_odds, latent, best, average)
