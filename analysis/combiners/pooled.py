"""The stacker fitted once on all items it is given, for use on others."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.combiners.encodings import imputed
from analysis.combiners.stacked import TIE
from analysis.panel.patterns import collapse
from analysis.statistics.logistic import fit_logistic


def fit_all(votes: Floats, gold: Ints, ridge: float = 1.0) -> tuple[float, Floats]:
    """Intercept and coefficients (k,) of equation 1 on votes (n, k), NaN = abstained, and gold (n,) of both classes."""
    patterns = collapse(votes)
    together = np.zeros(len(gold), dtype=np.int64)
    ones, totals = patterns.count(together, 1, keep=gold == 1), patterns.count(together, 1)
    fit = fit_logistic(imputed(patterns.rows), ones, totals, ridge)
    return float(fit.intercepts[0]), fit.coefficients[0]


def margins(intercept: float, coefficients: Floats, votes: Floats) -> Floats:
    """(n,) log-odds of hallucinated, an abstention counting 0.5."""
    return intercept + imputed(votes) @ coefficients


def verdicts(log_odds: Floats) -> Floats:
    """(n,) 1 where the log-odds are above 0; an exact tie is supported."""
    return (log_odds > TIE).astype(np.float64)
