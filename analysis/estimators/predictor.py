"""Cross-dataset predictor: do the two coordinates order the panel's gain over its best single judge? (appendix B)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.statistics.ranks import rank_correlation


@dataclass(frozen=True)
class Coordinates:
    """One benchmark of a suite as a point.

    Attributes
    ----------
    phi_bar : mean pairwise error correlation of the members
    competent : members with kappa at or above the bar
    gain : stacked - CV-best single in kappa (mean of the draws)
    stacked : the stacked panel's kappa (mean of the draws)
    """

    phi_bar: float
    competent: int
    gain: float
    stacked: float


def predictor(points: Sequence[Coordinates], subsets: Sequence[tuple[str, Sequence[int]]]) -> dict[str, Any]:
    """Table 5 and the correlations with the panel's own level, as plain values.

    Parameters
    ----------
    points : one a benchmark
    subsets : each a title and the positions of its points
    """
    phi = np.array([point.phi_bar for point in points])
    members = np.array([float(point.competent) for point in points])
    gain = np.array([point.gain for point in points])
    level = np.array([point.stacked for point in points])
    coordinates = {"phi_bar": phi, "competent": members, "composite": (1 - phi) * members}
    return {
        "subsets": [
            {
                "title": title,
                "n": len(kept),
                **{
                    name: rank_correlation(x[list(kept)], gain[list(kept)]) for name, x in coordinates.items()
                },
            }
            for title, kept in subsets
        ],
        "against_stacked_kappa": {name: rank_correlation(x, level) for name, x in coordinates.items()},
    }
