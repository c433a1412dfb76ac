"""How an abstention is told to the stacker: as 0.5, as a category, or as a missing flag (appendix K, Table 23)."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.combiners.encodings import Encoding, categorical, imputed, indicator
from analysis.combiners.stacked import stacked
from analysis.estimators.evaluation import evaluate
from analysis.panel.votes import VoteMatrix, require_analysable
from analysis.statistics.bootstrap import N_DRAWS
from analysis.statistics.folds import N_FOLDS, cluster_folds

ENCODINGS: dict[str, Encoding] = {"imputed": imputed, "categorical": categorical, "indicator": indicator}
PAIRS = (("categorical", "imputed"), ("indicator", "imputed"), ("categorical", "indicator"))


def encodings(panel: VoteMatrix, n_draws: int = N_DRAWS) -> dict[str, Any]:
    """The stacker under three encodings of an abstention, as plain values.

    Folds, items, estimator, penalty and threshold are the same; the feature map alone differs. ``moved`` counts the
    items whose verdict differs within a pair.

    Raises
    ------
    InputError
        If the panel cannot be cross-fitted.
    """
    require_analysable(panel, N_FOLDS)
    folds = cluster_folds(panel.n_clusters)[panel.cluster]
    fits = {
        name: stacked(panel.votes, panel.gold, folds, N_FOLDS, encode) for name, encode in ENCODINGS.items()
    }
    predictions = {name: fit.predictions for name, fit in fits.items()}
    scores = evaluate(predictions, panel.gold, panel.cluster, n_draws=n_draws)
    abstentions = np.isnan(panel.votes)
    return {
        "n_items": panel.n_items,
        "n_votes": panel.votes.size,
        "abstentions": int(abstentions.sum()),
        "rate": float(abstentions.mean()),
        "methods": {name: scores.score(name, "kappa") for name in ENCODINGS},
        "pairs": {
            f"{first}-{second}": {
                "kappa": scores.delta(first, second, "kappa"),
                "moved": _differing(predictions[first], predictions[second]),
            }
            for first, second in PAIRS
        },
    }


def _differing(first: np.ndarray, second: np.ndarray) -> int:
    """Items with different verdicts; two missing ones are the same."""
    return int(((first != second) & ~(np.isnan(first) & np.isnan(second))).sum())
