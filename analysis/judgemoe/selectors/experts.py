"""Whether a heterogeneous expert enters the pool (paper, section 5.3 and Table 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from analysis.arrays import Floats

Decision: TypeAlias = Literal["keep expert", "repair pool", "keep LLM pool", "use standalone"]


@dataclass(frozen=True)
class ExpertScores:
    """Validation Spearman of the four deployments: the judges alone, with the expert added, a validation-repaired
    subset of that pool, and the expert by itself. NaN where one is undefined or was not tried."""

    homogeneous: float
    heterogeneous: float
    repaired: float
    standalone: float


def decide(scores: ExpertScores) -> Decision:
    """The deployment of highest validation Spearman; among equals the one that changes least: the pool as it is, the
    expert added, the repaired subset, the expert alone."""
    options: dict[Decision, float] = {
        "keep LLM pool": scores.homogeneous,
        "keep expert": scores.heterogeneous,
        "repair pool": scores.repaired,
        "use standalone": scores.standalone,
    }
    return max(options, key=lambda name: round(float(np.nan_to_num(options[name], nan=-np.inf)), 10))


def scalar_as_distribution(scores: Floats, labels: Floats) -> Floats:
    """(n, K) the distribution on the two labels around each score whose expected value is the score.

    How an expert that gives one number on [0, 1] (BERTScore, a reward model's percentile) joins judges that give
    distributions: its soft score is kept exactly. NaN scores give NaN rows.
    """
    clipped = np.clip(scores, labels[0], labels[-1])
    upper = np.clip(np.searchsorted(labels, clipped, side="left"), 1, len(labels) - 1)
    low, high = labels[upper - 1], labels[upper]
    share = (clipped - low) / (high - low)
    out = np.zeros((len(scores), len(labels)))
    rows = np.arange(len(scores))
    out[rows, upper - 1] = 1.0 - share
    out[rows, upper] = share
    return out
