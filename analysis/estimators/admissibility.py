"""The admissibility test: are enough members competent, and do they err on different items? (section 3.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.estimators.error_correlation import effective_votes, error_correlation
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa


@dataclass(frozen=True)
class Thresholds:
    """An operating point: competence bar kappa_0, share c of the members, correlation bar phi_0."""

    kappa: float = 0.30
    share: float = 0.5
    phi: float = 0.40

    def required(self, n_members: int) -> int:
        """The least number of competent members, ``s >= c k``."""
        # c k is a whole number for many c and k that are not exact in binary; rounding must not raise the
        # bar.
        return math.ceil(self.share * n_members - 1e-9)


#: The paper's operating point.
DECLARED = Thresholds()


@dataclass(frozen=True)
class Admissibility:
    """The two coordinates of a panel on a benchmark, and the call.

    Attributes
    ----------
    phi_bar : mean pairwise error correlation; None without a readable pair
    n_eff : number of independent votes the panel is worth; None without phi_bar
    competent : members with kappa at or above the bar
    required : members the call asks for
    admissible : the call; None where the count passes and phi_bar has no value
    phi : (k, k) matrix, NaN for skipped pairs
    pairs, skipped, constant : member pairs in all, skipped for too few joint items, counted as 0 because a
        side never varies
    """

    phi_bar: float | None
    n_eff: float | None
    competent: int
    required: int
    admissible: bool | None
    phi: Floats
    pairs: int
    skipped: int
    constant: int


def admissibility(votes: Floats, gold: Ints, thresholds: Thresholds = DECLARED) -> Admissibility:
    """Read the test off votes (n, k) and gold (n,). A member whose kappa is undefined is not competent."""
    n_members = votes.shape[1]
    kappas = kappa(confusion(votes, gold))
    competent = int(np.sum(np.nan_to_num(kappas, nan=-np.inf) >= thresholds.kappa))
    required = thresholds.required(n_members)
    correlation = error_correlation(votes, gold)
    mean = float(correlation.mean()[0])
    phi_bar = None if math.isnan(mean) else mean
    # One member is one vote, though it has no pair to correlate.
    n_eff = effective_votes(n_members, 0.0 if n_members == 1 else mean)
    return Admissibility(
        phi_bar=phi_bar,
        n_eff=None if math.isnan(n_eff) else n_eff,
        competent=competent,
        required=required,
        admissible=call(competent, required, phi_bar, thresholds.phi),
        phi=correlation.phi[0],
        pairs=n_members * (n_members - 1) // 2,
        skipped=int(correlation.pairs(correlation.skipped).sum()),
        constant=int(correlation.pairs(correlation.constant).sum()),
    )


def call(competent: int, required: int, phi_bar: float | None, phi_bar_limit: float) -> bool | None:
    """Enough competent members and ``phi_bar <= phi_0``; None where only the missing phi_bar could tell."""
    if competent < required:
        return False
    return None if phi_bar is None else phi_bar <= phi_bar_limit
