"""What a paired difference is called (section 2)."""

from __future__ import annotations

from typing import Literal

from analysis.statistics.intervals import Interval

Reading = Literal[
    "clear improvement",
    "unresolved improvement",
    "clear worsening",
    "unresolved worsening",
    "no difference",
]
Verdict = Literal["clean win", "win", "tie", "loss"]

#: A stacked panel whose kappa interval spans 0 and whose kappa is nearer to 0 than this is at chance.
AT_CHANCE = 0.05


def reading(difference: Interval) -> Reading | None:
    """An improvement or a worsening, clear where the 95% paired interval excludes zero, else unresolved.

    The direction is that of the central value, before rounding; a difference of exactly zero has none. None
    where the difference has no defined draw.
    """
    mean, low, high = difference.resample_mean, difference.low, difference.high
    if mean is None or low is None or high is None:
        return None
    if low > 0:
        return "clear improvement"
    if high < 0:
        return "clear worsening"
    if mean > 0:
        return "unresolved improvement"
    return "unresolved worsening" if mean < 0 else "no difference"


def verdict(against_best_cv: Interval, against_oracle: Interval | None) -> Verdict | None:
    """The panel's verdict from the kappa differences stacked - CV-best and stacked - oracle.

    A win: the lower bound against the CV-best single exceeds zero; a clean win: against the oracle too; a
    tie: the interval straddles zero. The paper names no word for an interval below zero, which it does not
    meet; it is a loss here. None where the difference against the CV-best single has no defined draw.
    """
    called = reading(against_best_cv)
    if called is None:
        return None
    if called == "clear worsening":
        return "loss"
    if called != "clear improvement":
        return "tie"
    clean = against_oracle is not None and reading(against_oracle) == "clear improvement"
    return "clean win" if clean else "win"


def at_chance(stacked: Interval) -> bool:
    """Whether a stacked kappa is at chance: its interval spans 0 and its mean is within 0.05 of 0."""
    mean, low, high = stacked.resample_mean, stacked.low, stacked.high
    if mean is None or low is None or high is None:
        return False
    return low <= 0 <= high and abs(mean) < AT_CHANCE
