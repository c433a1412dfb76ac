"""How strongly the two items of a matched pair depend on each other, from the width of a published interval.

The average member's kappa on matched pairs is a mean over clusters of its members' right verdicts. The more often a
member that errs on one item of a pair errs on the other too, the wider is its cluster bootstrap: the published 95%
interval of the average member fixes the latent correlation between the items of a pair. Where nearly every cluster is
one item, the interval says nothing of it, and it is 0.
"""

from __future__ import annotations

from collections.abc import Callable

from scipy.optimize import brentq

from analysis.arrays import Floats
from analysis.estimators.evaluation import evaluate
from analysis.simulation.drawing import Drawing
from analysis.simulation.fit import Fit
from analysis.statistics.intervals import Interval

_LIMIT = 0.9
#: An interval from 2,000 draws has a width that is itself uncertain by some 2%: nearer would fit its noise.
_TOLERANCE = 0.01


def pair_dependence(drawing: Drawing, fit: Fit, average_member: tuple[float, float]) -> float:
    """Latent correlation within pairs at which the average member's interval is as wide as ``average_member``.

    ``fit`` is one without dependence, whose correlations between members are kept. The end of [-0.9, 0.9] where the
    width is out of reach.
    """
    wanted = average_member[1] - average_member[0]

    def excess(dependence: float) -> float:
        votes = drawing.votes(drawing.latent(fit.correlation, dependence))
        return average_member_width(drawing, votes) - wanted

    return solve(excess, -_LIMIT, _LIMIT)


def average_member_width(drawing: Drawing, votes: Floats) -> float:
    """Width of the average member's 95% interval."""
    names = [str(column) for column in range(votes.shape[1])]
    items = drawing.items
    columns = dict(zip(names, votes.T, strict=True))
    scores = evaluate(columns, items.gold, items.cluster, averages={"average": names})
    return width(scores.interval("average", "kappa"))


def width(summary: Interval) -> float:
    """Width of an interval. Raises ValueError where no draw is defined, which votes on both classes rule out."""
    if summary.high is None or summary.low is None:
        raise ValueError("no draw of the bootstrap is defined")
    return summary.high - summary.low


def solve(excess: Callable[[float], float], low: float, high: float) -> float:
    """Root of a function that grows with its argument up to the bootstrap's noise; the nearer end without one."""
    below, above = excess(low), excess(high)
    if below >= 0 or above <= 0:
        return low if below >= 0 else high
    return round(float(brentq(excess, low, high, xtol=_TOLERANCE)), 4)
