"""How many items to annotate: from expected noise levels, or from a pilot (section 5.1, appendix C)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from analysis.alt_test.items import cluster_codes
from analysis.alt_test.results import PASSING_RATE, Evidence
from analysis.alt_test.setup import T_TEST_ITEMS, Clusters
from analysis.alt_test.simulation.batch import by_rejections_last_axis, p_values
from analysis.alt_test.simulation.curves import BAND, Curves
from analysis.arrays import Bools, Floats, Ints
from raim.errors import InputError

#: Probability of passing that a plan aims at.
POWER: Final = 0.8
N_RESAMPLES: Final = 2_000


@dataclass(frozen=True)
class PlanPoint:
    """What to expect with this many items.

    Attributes
    ----------
    n_items : items of the study
    winning_rate : mean omega
    pass_rate : probability that the judge passes
    rho, rho_low, rho_high : mean advantage probability and its 0.9 interval
    """

    n_items: int
    winning_rate: float
    pass_rate: float
    rho: float
    rho_low: float
    rho_high: float


@dataclass(frozen=True)
class Plan:
    """Answer and curve.

    Attributes
    ----------
    n_items : the smallest number of items from which on the probability of passing stays at ``power`` or above, None
        where none of the sizes does
    power : the probability aimed at
    epsilon : cost-benefit penalty
    points : by number of items, ascending
    """

    n_items: int | None
    power: float
    epsilon: float
    points: tuple[PlanPoint, ...]


def plan_from_curves(curves: Curves, epsilon: float, power: float = POWER) -> Plan:
    """The plan that a simulated panel gives for one of its epsilons."""
    row = curves.epsilons.index(epsilon)
    points = [
        PlanPoint(
            size,
            float(curves.winning_rate[row, i]),
            float(curves.pass_rate[row, i]),
            float(curves.rho[i]),
            float(curves.rho_low[i]),
            float(curves.rho_high[i]),
        )
        for i, size in enumerate(curves.sizes)
    ]
    return _plan(points, epsilon, power)


def plan_from_pilot(
    evidence: Evidence,
    judge: str,
    sizes: Sequence[int],
    rng: np.random.Generator,
    power: float = POWER,
    q: float = 0.05,
    clusters: Clusters | None = None,
    n_resamples: int = N_RESAMPLES,
) -> Plan:
    """What larger studies like the pilot would find.

    Items of the pilot are drawn with replacement until there are as many as planned (whole clusters, where items
    share documents, until there are about as many), all annotators' labels of an item together. An annotator who
    labelled a part of the items has that part in the plan too, and is left out of a resample below 30 items, as in
    the test.

    Parameters
    ----------
    evidence : the pilot, tested; unweighted
    judge : its name
    sizes : numbers of items, ascending
    rng : generator of the draws
    power : probability of passing aimed at
    q : false discovery rate
    clusters : cluster of each item, or None for independent items
    n_resamples : draws a size

    Raises
    ------
    InputError
        If the judge was compared with nobody, or the power is not between 0 and 1.
    """
    if not 0.0 < power < 1.0:
        raise InputError(f"the probability of passing must lie between 0 and 1, not {power!r}")
    comparisons = [part for part in evidence.judges[judge].comparisons if len(part.rows) >= 2]
    if not comparisons:
        raise InputError(f"judge {judge!r} shares too few items with the annotators of the pilot")
    n_items, m = len(evidence.test.humans.items), len(comparisons)
    compared, d, judge_wins = (np.zeros((n_items, m)) for _ in range(3))
    for column, part in enumerate(comparisons):
        compared[part.rows, column] = 1.0
        d[part.rows, column] = part.d
        judge_wins[part.rows, column] = part.judge_wins
    used = compared.any(axis=1)
    units = np.arange(n_items) if clusters is None else cluster_codes(evidence.test.humans.items, clusters)
    unit = np.unique(units[used], return_inverse=True)[1]
    n_units = int(unit.max()) + 1

    def by_unit(values: Floats) -> Floats:
        out = np.zeros((n_units, m))
        np.add.at(out, unit, values[used])
        return out

    sums = np.concatenate([by_unit(part) for part in (compared, d, d**2, judge_wins)], axis=1)
    points = []
    for size in sizes:
        n_draws = max(1, round(size * n_units / int(used.sum())))
        draws = rng.multinomial(n_draws, np.full(n_units, 1.0 / n_units), size=n_resamples)
        totals = (draws @ sums).reshape(n_resamples, 4, m)
        points.append(_pilot_point(size, totals, evidence.epsilon, q))
    return _plan(points, evidence.epsilon, power)


def _pilot_point(size: int, totals: Floats, epsilon: float, q: float) -> PlanPoint:
    n = totals[:, 0]
    tested = n >= T_TEST_ITEMS
    safe = np.where(tested, n, 2.0)
    sums, squares = np.where(tested, totals[:, 1], 0.0), np.where(tested, totals[:, 2], 0.0)
    p = np.where(tested, p_values(sums, squares, safe, epsilon), np.inf)
    n_tested = tested.sum(axis=1)
    rejected = _rejections(p, n_tested, q)
    some = n_tested > 0
    omega = np.where(some, rejected.sum(axis=1) / np.maximum(n_tested, 1), 0.0)
    rho = np.where(tested, totals[:, 3] / safe, 0.0).sum(axis=1)[some] / n_tested[some]
    if not some.any():
        raise InputError(
            f"with {size} items no annotator of a study like the pilot has {T_TEST_ITEMS}; plan for more"
        )
    low, high = np.percentile(rho, BAND)
    return PlanPoint(
        size,
        float(omega.mean()),
        float((omega >= PASSING_RATE).mean()),
        float(rho.mean()),
        float(low),
        float(high),
    )


def _rejections(p: Floats, n_tested: Ints, q: float) -> Bools:
    """Rejections by rows whose families differ in size; p of those not tested is infinite."""
    rejected = np.zeros(p.shape, dtype=bool)
    for size in np.unique(n_tested[n_tested > 0]):
        rows = n_tested == size
        rejected[rows] = by_rejections_last_axis(p[rows], q, int(size))
    return rejected


def _plan(points: Sequence[PlanPoint], epsilon: float, power: float) -> Plan:
    enough: int | None = None
    for point in reversed(points):
        if point.pass_rate < power:
            break
        enough = point.n_items
    return Plan(enough, power, epsilon, tuple(points))


def plan_json(plan: Plan) -> dict[str, Any]:
    """The plan as plain values."""
    return asdict(plan)
