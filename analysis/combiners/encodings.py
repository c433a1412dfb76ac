"""Feature maps of the stacker: what it is told about an abstention (Table 23)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analysis.arrays import Floats

#: A map from distinct votes (P, k), NaN = abstained, to features (P, d).
Encoding = Callable[[Floats], Floats]


def imputed(votes: Floats) -> Floats:
    """(P, k) votes with an abstention at 0.5: the paper's encoding (equation 1)."""
    return np.where(np.isnan(votes), 0.5, votes)


def categorical(votes: Floats) -> Floats:
    """(P, 2k) per member: vote is 1, vote is missing (supported is the reference level)."""
    return _interleave((votes == 1).astype(np.float64), np.isnan(votes).astype(np.float64))


def indicator(votes: Floats) -> Floats:
    """(P, 2k) per member: vote with an abstention at 0, missing flag.

    On binary votes its columns are those of :func:`categorical`, which is why the paper finds identical
    verdicts.
    """
    return _interleave(np.where(np.isnan(votes), 0.0, votes), np.isnan(votes).astype(np.float64))


def _interleave(first: Floats, second: Floats) -> Floats:
    return np.stack([first, second], axis=2).reshape(len(first), -1)
