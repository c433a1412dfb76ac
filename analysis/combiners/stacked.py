"""The stacked panel: a cross-fitted logistic regression of gold on the votes (equation 1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from analysis.combiners.encodings import Encoding, imputed
from analysis.combiners.unweighted import unweighted
from analysis.panel.patterns import collapse
from analysis.statistics.logistic import fit_logistic

#: The solver fixes a log-odds to about its gradient bound; margins this small are the exact tie P = 0.5,
#: which is read as supported, on every machine.
TIE = 1e-9


@dataclass(frozen=True)
class Stacked:
    """Out-of-fold verdicts of the stacker and its fits.

    Attributes
    ----------
    predictions : (n,) verdicts; in a fold without a fit, the unweighted majority's
    margins : (n,) out-of-fold log-odds of hallucinated, NaN in a fold without a fit
    intercepts : (n_folds,), NaN for a fold without a fit
    coefficients : (n_folds, d), one column a feature of the encoding, NaN for a fold without a fit
    fitted : (n_folds,) whether the training folds had both classes
    gradients : (n_folds,) largest gradient component at the solution, NaN for a fold without a fit
    """

    predictions: Floats
    margins: Floats
    intercepts: Floats
    coefficients: Floats
    fitted: Bools
    gradients: Floats


def stacked(
    votes: Floats,
    gold: Ints,
    folds: Ints,
    n_folds: int,
    encode: Encoding = imputed,
    ridge: float = 1.0,
    labelled: Bools | None = None,
) -> Stacked:
    """Fit on four folds, predict the fifth, five times.

    Parameters
    ----------
    votes : (n, k) votes, NaN = abstained
    gold, folds : (n,) labels and fold of each item
    encode : feature map; the paper's puts an abstention at 0.5
    ridge : penalty on the coefficients (not on the intercept), 1/C of scikit-learn
    labelled : (n,) items whose gold is known, None for all; the others are predicted, and train nothing

    Returns
    -------
    Verdict 1 where P > 0.5. A fold whose training items have one class has no fit and takes the unweighted
    vote.
    """
    patterns = collapse(votes)
    rows = encode(patterns.rows)
    totals = patterns.count(folds, n_folds, labelled)
    ones = patterns.count(folds, n_folds, gold == 1 if labelled is None else (gold == 1) & labelled)
    totals, ones = totals.sum(axis=0) - totals, ones.sum(axis=0) - ones
    positives = ones.sum(axis=1)
    fitted = (positives > 0) & (positives < totals.sum(axis=1))

    intercepts = np.full(n_folds, np.nan)
    coefficients = np.full((n_folds, rows.shape[1]), np.nan)
    gradients = np.full(n_folds, np.nan)
    by_pattern = np.full((n_folds, len(rows)), np.nan)
    if fitted.any():
        fits = fit_logistic(rows, ones[fitted], totals[fitted], ridge)
        intercepts[fitted] = fits.intercepts
        coefficients[fitted] = fits.coefficients
        gradients[fitted] = fits.gradients
        by_pattern[fitted] = fits.margins(rows)

    margins = by_pattern[folds, patterns.index]
    predictions = np.where(np.isnan(margins), unweighted(votes), (margins > TIE).astype(np.float64))
    return Stacked(predictions, margins, intercepts, coefficients, fitted, gradients)
