"""The aggregator's own budget: the stacker fitted on few labelled records (appendix C, Table 7, Figure 6b).

Within each fold of the reported stacker the budget is drawn from that fold's training clusters, the fit predicts the
fold's own items, and the predictions are pooled before kappa is taken; at the full pool this is the reported stacker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from analysis.combiners.encodings import imputed
from analysis.combiners.stacked import TIE
from analysis.combiners.unweighted import unweighted
from analysis.metrics.balanced_accuracy import committed_balanced_accuracy
from analysis.metrics.confusion import Confusion, confusion, confusion_by_group
from analysis.metrics.kappa import kappa
from analysis.panel.clusters import cluster_items
from analysis.panel.patterns import collapse
from analysis.panel.votes import VoteMatrix
from analysis.statistics.folds import N_FOLDS, cluster_folds, training_clusters
from analysis.statistics.logistic import fit_logistic

#: Budgets in clusters, the labelled records of the paper; the full pool is added to those below it.
BUDGETS = (10, 25, 50, 100, 200, 400, 800)
N_REPLICATES = 100
#: Counts of samples x patterns held at a time.
_BLOCK = 2**23


@dataclass(frozen=True)
class Point:
    """One budget of the curve.

    Attributes
    ----------
    budget : clusters drawn from each fold's training clusters
    full : whether the budget is the full pool, where nothing is drawn
    degenerate : replicates discarded because a fold's records had one class
    stacked, best_single : (R,) kappas of the replicates kept, NaN where the predictions are constant
    """

    budget: int
    full: bool
    degenerate: int
    stacked: Floats
    best_single: Floats


@dataclass(frozen=True)
class LearningCurve:
    """The curve of one panel.

    Attributes
    ----------
    pool : training clusters of the smallest fold, which caps the budgets
    unweighted : kappa of the unweighted majority on all items; NaN where undefined
    points : by budget, the full pool last
    by_fold : (n_folds,) kappas of the full pool's predictions within each fold, NaN where undefined
    """

    pool: int
    unweighted: float
    points: tuple[Point, ...]
    by_fold: Floats


def learning_curve(
    panel: VoteMatrix,
    seed: int,
    *,
    budgets: Sequence[int] = BUDGETS,
    n_replicates: int = N_REPLICATES,
    n_folds: int = N_FOLDS,
) -> LearningCurve:
    """Draw, fit and score at every budget below the smallest training pool, and at the full pool.

    The clusters of budget b, fold f and replicate r are ``default_rng([0, seed, b, f, r]).choice`` of b of the fold's
    training clusters, ascending, without replacement; all items of a drawn cluster are taken. Here a constant
    predictor has no kappa, unlike in the ladder.
    """
    fold_of_cluster = cluster_folds(panel.n_clusters, n_folds)
    pool = int(training_clusters(fold_of_cluster, n_folds).min())
    folds = fold_of_cluster[panel.cluster]
    scorer = _Scorer(panel, folds, n_folds)
    items = cluster_items(panel.cluster)
    block = max(1, _BLOCK // (2 * n_folds * len(scorer.patterns.rows)))
    points = []
    for budget in (b for b in budgets if b < pool):
        chosen = _draws(fold_of_cluster, n_folds, budget, seed, n_replicates)
        parts = [
            scorer.point(budget, scorer.sample(*items.of(part.reshape(-1, budget)), len(part)), full=False)
            for part in (chosen[start : start + block] for start in range(0, n_replicates, block))
        ]
        points.append(_joined(parts))
    fold, item = np.nonzero(folds != np.arange(n_folds)[:, None])
    everything = scorer.sample(fold, item, 1)
    points.append(scorer.point(pool, everything, full=True))
    by_fold = kappa(scorer.stacked(everything)) if everything.kept.all() else np.full((1, n_folds), np.nan)
    return LearningCurve(
        pool=pool,
        unweighted=float(kappa(confusion(unweighted(panel.votes)[:, None], panel.gold))[0]),
        points=tuple(points),
        by_fold=by_fold[0],
    )


def _draws(fold_of_cluster: Ints, n_folds: int, budget: int, seed: int, n_replicates: int) -> Ints:
    """(R, n_folds, budget) clusters each replicate takes for each fold."""
    chosen = np.empty((n_replicates, n_folds, budget), dtype=np.int64)
    for fold in range(n_folds):
        training = np.flatnonzero(fold_of_cluster != fold)
        for replicate in range(n_replicates):
            rng = np.random.default_rng([0, seed, budget, fold, replicate])
            chosen[replicate, fold] = rng.choice(training, budget, replace=False)
    return chosen


def _joined(parts: Sequence[Point]) -> Point:
    """One budget's replicates, scored in blocks."""
    return Point(
        budget=parts[0].budget,
        full=parts[0].full,
        degenerate=sum(part.degenerate for part in parts),
        stacked=np.concatenate([part.stacked for part in parts]),
        best_single=np.concatenate([part.best_single for part in parts]),
    )


@dataclass(frozen=True)
class _Sample:
    """Calibration samples of R replicates, sample r * n_folds + f being fold f's, without the degenerate replicates.

    Attributes
    ----------
    ones, zeros : (S, P) items that show each pattern, with gold 1 and 0
    kept : (R,) whether every fold's sample of a replicate has both classes
    """

    ones: Floats
    zeros: Floats
    kept: Bools


class _Scorer:
    """Fits and scores many calibration samples of one panel."""

    def __init__(self, panel: VoteMatrix, folds: Ints, n_folds: int) -> None:
        self.panel = panel
        self.n_folds = n_folds
        self.patterns = collapse(panel.votes)
        self.rows = imputed(self.patterns.rows)
        self.test_ones = self.patterns.count(folds, n_folds, keep=panel.gold == 1)
        self.test_zeros = self.patterns.count(folds, n_folds, keep=panel.gold == 0)
        self.members = confusion_by_group(panel.votes, panel.gold, folds, n_folds)

    def sample(self, sample: Ints, item: Ints, n_replicates: int) -> _Sample:
        """The samples that hold these items: (m,) sample r * n_folds + f and (m,) item of each."""
        size, n_samples = len(self.patterns.rows), n_replicates * self.n_folds
        cells = (sample * 2 + self.panel.gold[item]) * size + self.patterns.index[item]
        counts = np.bincount(cells, minlength=n_samples * 2 * size).reshape(n_samples, 2, size)
        two_classes = (counts.sum(axis=2) > 0).all(axis=1)
        kept = two_classes.reshape(-1, self.n_folds).all(axis=1)
        zeros, ones = counts[np.repeat(kept, self.n_folds)].transpose(1, 0, 2).astype(np.float64)
        return _Sample(ones, zeros, kept)

    def point(self, budget: int, sample: _Sample, *, full: bool) -> Point:
        """Pool each replicate's folds and score them."""
        return Point(
            budget=budget,
            full=full,
            degenerate=int((~sample.kept).sum()),
            stacked=kappa(_pooled(self.stacked(sample)), constant_undefined=True),
            best_single=kappa(_pooled(self.best_single(sample)), constant_undefined=True),
        )

    def stacked(self, sample: _Sample) -> Confusion:
        """Counts of the stacker on each fold's own items: fields (R, n_folds)."""
        fits = fit_logistic(self.rows, sample.ones, sample.ones + sample.zeros)
        called = (fits.margins(self.rows) > TIE).astype(np.float64).reshape(-1, self.n_folds, len(self.rows))
        tp = (called * self.test_ones).sum(axis=2)
        fp = (called * self.test_zeros).sum(axis=2)
        positives, negatives = (
            np.broadcast_to(test.sum(axis=1), tp.shape) for test in (self.test_ones, self.test_zeros)
        )
        return Confusion(tp, fp, positives - tp, negatives - fp, positives, negatives)

    def best_single(self, sample: _Sample) -> Confusion:
        """Counts of the member with the highest balanced accuracy on the same records (ties: the first)."""
        called = (self.patterns.rows == 1).astype(np.float64)
        cleared = (self.patterns.rows == 0).astype(np.float64)
        training = Confusion(
            tp=sample.ones @ called,
            fp=sample.zeros @ called,
            fn=sample.ones @ cleared,
            tn=sample.zeros @ cleared,
            positives=sample.ones.sum(axis=1, keepdims=True),
            negatives=sample.zeros.sum(axis=1, keepdims=True),
        )
        choice = committed_balanced_accuracy(training).argmax(axis=1).reshape(-1, self.n_folds)
        tp, fp, fn, tn = (field[np.arange(self.n_folds), choice] for field in self.members.fields()[:4])
        positives, negatives = (
            np.broadcast_to(field[:, 0], choice.shape) for field in self.members.fields()[4:]
        )
        return Confusion(tp, fp, fn, tn, positives, negatives)


def _pooled(by_fold: Confusion) -> Confusion:
    """Counts over all folds: fields (R,)."""
    return Confusion(*(field.sum(axis=1) for field in by_fold.fields()))
