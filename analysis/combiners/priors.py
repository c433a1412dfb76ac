"""The stacked panel read for other class shares than those it was fitted on.

The stacker's log-odds hold the training items' log prior odds. Read at P > 0.5 on a sample of mostly one class it calls
nearly everything that class, which few errors and no agreement come of. Three readings do without a second sample:

* ``class_weighted``: a fit in which both classes weigh alike (scikit-learn's ``class_weight="balanced"``), read at 0.5;
* ``shifted``: the plain fit, its log-odds less those of the training prior: what it would say of even classes;
* ``deployment``: the same, plus the log-odds of a prior that the deployer expects.

``balanced`` is the better of the first two, found for each fold without its items.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import logit

from analysis.arrays import Bools, Floats, Ints
from analysis.combiners.encodings import imputed
from analysis.combiners.stacked import TIE
from analysis.combiners.unweighted import unweighted
from analysis.metrics.balanced_accuracy import balanced_accuracy
from analysis.metrics.confusion import confusion
from analysis.panel.patterns import Patterns, collapse
from analysis.statistics.logistic import fit_logistic

Balancing = Literal["class_weighted", "shifted"]


@dataclass(frozen=True)
class PriorReadings:
    """Out-of-fold verdicts (n,) of each reading.

    Attributes
    ----------
    plain, class_weighted, shifted, balanced : verdicts; in a fold whose training items have one class, the unweighted
        majority's
    deployment : verdicts at the deployment prior; None without one
    choice : by fold, which of the two ``balanced`` takes
    """

    plain: Floats
    class_weighted: Floats
    shifted: Floats
    balanced: Floats
    deployment: Floats | None
    choice: tuple[Balancing, ...]


def read_at_priors(
    votes: Floats, gold: Ints, folds: Ints, n_folds: int, deployment_prior: float | None = None
) -> PriorReadings:
    """Fit both ways on the other folds, predict each fold, read at each prior.

    Within the training folds of fold f, both balancings predict each training fold from the others; the one with the
    higher balanced accuracy there is the balanced reading of f (the shift where they tie or one cannot be fitted).

    Parameters
    ----------
    votes : (n, k) votes, NaN = abstained
    gold, folds : (n,) labels and fold of each item
    deployment_prior : share of hallucinated items to expect, between 0 and 1
    """
    fitter = _Fitter(votes, gold, folds, n_folds)
    outer = ~np.eye(n_folds, dtype=np.bool_)
    plain, weighted, shift = fitter.margins(outer)
    fold = np.arange(n_folds)[folds]
    item = np.arange(len(votes))
    read = {
        "plain": plain[fold, item],
        "class_weighted": weighted[fold, item],
        "shifted": (plain - shift[:, None])[fold, item],
    }
    if deployment_prior is not None:
        read["deployment"] = read["shifted"] + logit(deployment_prior)
    majority = unweighted(votes)
    verdicts = {name: _verdicts(margins, majority) for name, margins in read.items()}
    choice = tuple(_choose(fitter, f) for f in range(n_folds))
    from_weighted = np.array([one == "class_weighted" for one in choice])[folds]
    return PriorReadings(
        plain=verdicts["plain"],
        class_weighted=verdicts["class_weighted"],
        shifted=verdicts["shifted"],
        balanced=np.where(from_weighted, verdicts["class_weighted"], verdicts["shifted"]),
        deployment=verdicts.get("deployment"),
        choice=choice,
    )


def _verdicts(margins: Floats, majority: Floats) -> Floats:
    """1 where the log-odds are above the tie; the majority where there are none."""
    verdicts: Floats = np.where(np.isnan(margins), majority, (margins > TIE).astype(np.float64))
    return verdicts


def _choose(fitter: _Fitter, fold: int) -> Balancing:
    """The balancing with the higher balanced accuracy on a fold's training items, each predicted from the others."""
    inner = [other for other in range(fitter.n_folds) if other != fold]
    training = np.ones((len(inner), fitter.n_folds), dtype=np.bool_)
    training[:, fold] = False
    training[np.arange(len(inner)), inner] = False
    plain, weighted, shift = fitter.margins(training)
    if np.isnan(shift).any():
        return "shifted"
    row = np.searchsorted(inner, fitter.folds)
    seen = fitter.folds != fold
    place = row[seen], np.flatnonzero(seen)
    both = np.column_stack([(plain - shift[:, None])[place], weighted[place]])
    shifted_score, weighted_score = balanced_accuracy(
        confusion((both > TIE).astype(np.float64), fitter.gold[seen])
    )
    return "class_weighted" if weighted_score > shifted_score else "shifted"


class _Fitter:
    """Plain and class-weighted fits on any choice of training folds."""

    def __init__(self, votes: Floats, gold: Ints, folds: Ints, n_folds: int) -> None:
        self.gold, self.folds, self.n_folds = gold, folds, n_folds
        self.patterns: Patterns = collapse(votes)
        self.rows = imputed(self.patterns.rows)
        self.totals = self.patterns.count(folds, n_folds)
        self.ones = self.patterns.count(folds, n_folds, keep=gold == 1)

    def margins(self, training: Bools) -> tuple[Floats, Floats, Floats]:
        """Log-odds of all items under F fits, plain and class-weighted (F, n), and the training priors' log-odds (F,).

        ``training`` (F, n_folds) says which folds each fit is trained on. NaN for a fit whose items have one class.
        """
        totals, ones = training @ self.totals, training @ self.ones
        items, positives = totals.sum(axis=1), ones.sum(axis=1)
        fitted = (positives > 0) & (positives < items)
        plain, weighted = (np.full((len(training), len(self.rows)), np.nan) for _ in range(2))
        shift = np.full(len(training), np.nan)
        if fitted.any():
            share = (positives / items)[fitted]
            zeros = totals[fitted] - ones[fitted]
            up, down = ones[fitted] / (2 * share[:, None]), zeros / (2 * (1 - share[:, None]))
            plain[fitted] = fit_logistic(self.rows, ones[fitted], totals[fitted]).margins(self.rows)
            weighted[fitted] = fit_logistic(self.rows, up, up + down).margins(self.rows)
            shift[fitted] = logit(share)
        return plain[:, self.patterns.index], weighted[:, self.patterns.index], shift
