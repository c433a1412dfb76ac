"""The estimators the plain way: scikit-learn in a loop over fits, draws and pairs, crowd-kit for Dawid-Skene.

Each takes a part of the work, in the same order as the package, so that the two can be compared number by number.
Fits are solved as tightly as the package's, by scikit-learn's fastest solver for it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd
from crowdkit.aggregation import DawidSkene
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score

from analysis.panel.votes import VoteMatrix
from analysis.statistics.folds import N_FOLDS, cluster_folds

Array = NDArray[np.float64]


def kappa(gold: NDArray[np.int64], verdicts: Array) -> float:
    """Cohen's kappa on the committed items; NaN where gold or verdicts are constant."""
    given = ~np.isnan(verdicts)
    if len(set(gold[given])) < 2 or len(set(verdicts[given])) < 2:
        return float("nan")
    return float(cohen_kappa_score(gold[given], verdicts[given].astype(np.int64)))


def fit(features: Array, gold: NDArray[np.int64]) -> LogisticRegression:
    """A fit at the optimum."""
    model = LogisticRegression(C=1.0, solver="newton-cholesky", tol=1e-12, max_iter=1000)
    with warnings.catch_warnings():
        # At this tolerance the line search ends on rounding, which scikit-learn warns of.
        warnings.simplefilter("ignore")
        return model.fit(features, gold)


def stacked(panel: VoteMatrix, columns: Sequence[int]) -> Array:
    """Out-of-fold verdicts of the stacker on some of the members."""
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    features = np.where(np.isnan(panel.votes), 0.5, panel.votes)[:, list(columns)]
    verdicts = np.empty(panel.n_items)
    for fold in range(N_FOLDS):
        test = folds == fold
        model = fit(features[~test], panel.gold[~test])
        verdicts[test] = model.decision_function(features[test]) > 1e-9
    return verdicts


def bootstrap(panel: VoteMatrix, predictions: Sequence[Array], n_draws: int) -> Array:
    """(n_draws, m) kappas on resamples of clusters, their items put together by index."""
    rng = np.random.default_rng(0)
    of_cluster = [np.flatnonzero(panel.cluster == c) for c in range(panel.n_clusters)]
    rows = []
    for _ in range(n_draws):
        drawn = rng.integers(0, panel.n_clusters, size=panel.n_clusters)
        items = np.concatenate([of_cluster[c] for c in drawn])
        rows.append([kappa(panel.gold[items], verdicts[items]) for verdicts in predictions])
    return np.array(rows)


def dawid_skene(panel: VoteMatrix, n_iterations: int) -> Array:
    """Posteriors of crowd-kit after so many iterations."""
    item, member = np.nonzero(~np.isnan(panel.votes))
    frame = pd.DataFrame({"task": item, "worker": member, "label": panel.votes[item, member].astype(int)})
    found = DawidSkene(n_iter=n_iterations, tol=-1.0).fit_predict_proba(frame)
    return np.asarray(found[1].reindex(range(panel.n_items)), dtype=np.float64)


def coordinates(panel: VoteMatrix, seed: int, budget: int, n_samples: int) -> Array:
    """(n_samples, 2) phi-bar and number of competent members on the first samples of a budget."""
    rng = np.random.default_rng([0, seed, budget])
    rows = []
    for _ in range(n_samples):
        keep = np.isin(panel.cluster, rng.choice(panel.n_clusters, budget, replace=False))
        votes, gold = panel.votes[keep], panel.gold[keep]
        competent = sum(kappa(gold, column) >= 0.30 for column in votes.T)
        phi = []
        for a in range(panel.n_members):
            for b in range(a):
                joint = ~np.isnan(votes[:, a]) & ~np.isnan(votes[:, b])
                if joint.sum() < 5:
                    continue
                first, second = (votes[joint, j] != gold[joint] for j in (a, b))
                varies = 0 < first.sum() < len(first) and 0 < second.sum() < len(second)
                phi.append(np.corrcoef(first, second)[0, 1] if varies else 0.0)
        rows.append([np.mean(phi) if phi else np.nan, competent])
    return np.array(rows)


def learning_curve(panel: VoteMatrix, seed: int, budget: int, n_replicates: int) -> Array:
    """(n_replicates, 2) kappas of the stacker and of the best single member on the same records; NaN if one class."""
    of_cluster = cluster_folds(panel.n_clusters)
    folds = of_cluster[panel.cluster]
    features = np.where(np.isnan(panel.votes), 0.5, panel.votes)
    rows = []
    for replicate in range(n_replicates):
        fitted, single = np.full(panel.n_items, np.nan), np.full(panel.n_items, np.nan)
        for fold in range(N_FOLDS):
            rng = np.random.default_rng([0, seed, budget, fold, replicate])
            chosen = rng.choice(np.flatnonzero(of_cluster != fold), budget, replace=False)
            train, test = np.isin(panel.cluster, chosen), folds == fold
            if len(set(panel.gold[train])) < 2:
                fitted[:] = single[:] = np.nan
                break
            fitted[test] = fit(features[train], panel.gold[train]).decision_function(features[test]) > 1e-9
            single[test] = panel.votes[test, int(np.argmax(_competence(panel, train)))]
        rows.append([kappa(panel.gold, fitted), kappa(panel.gold, single)])
    return np.array(rows)


def _competence(panel: VoteMatrix, train: NDArray[np.bool_]) -> Array:
    scores = []
    for column in panel.votes[train].T:
        given = ~np.isnan(column)
        gold = panel.gold[train][given]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            score = balanced_accuracy_score(gold, column[given]) if len(set(gold)) > 1 else 0.5
        scores.append(round(score, 12))
    return np.array(scores)
