"""How many labelled records a panel needs until its admissibility call and its stacker are stable.

Samples of every budget are drawn from a population (:mod:`analysis.simulation.panel`) and compared with it: the call
and the leading member with the population's, the stacker fitted on the sample with one fitted on very many records,
both scored on further records that neither saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.combiners.encodings import imputed
from analysis.combiners.stacked import TIE
from analysis.combiners.unweighted import unweighted
from analysis.estimators.admissibility import DECLARED, Thresholds
from analysis.estimators.regime.coordinates import Coordinates, coordinates
from analysis.metrics.balanced_accuracy import committed_balanced_accuracy
from analysis.metrics.confusion import Confusion, confusion, confusion_by_group
from analysis.metrics.kappa import kappa
from analysis.panel.patterns import collapse
from analysis.panel.votes import VoteMatrix
from analysis.simulation.panel import PanelModel, Sample, draw_records
from analysis.statistics.bootstrap import N_DRAWS, cluster_weights
from analysis.statistics.logistic import LogisticFits, fit_logistic
from raim.errors import InputError

#: The paper's budgets (Tables 6 and 7).
BUDGETS = (10, 25, 50, 100, 200, 400, 800)
N_REPLICATES = 200
#: Records of the reference fit, and of the scoring sample.
N_REFERENCE = 5000
#: Share of samples that must give the population's call.
CALL_SURE = 0.9
#: Share of the reference stacker's kappa that counts as its own (appendix C reads the curve at 5%).
NEAR = 0.95


@dataclass(frozen=True)
class PlanPoint:
    """One budget.

    Attributes
    ----------
    records : labelled records
    labels : expected labels of as many records
    same_call, same_leader : share of samples that agree with the population
    phi_error : median distance of phi-bar from the population's; NaN where no sample shows it
    degenerate : samples with one class, on which no stacker is fitted and the majority stands in
    stacked, stacked_low, stacked_high : mean and 5th and 95th percentile of the stacker's kappa on further records
    best_single : mean kappa, on further records, of the member that leads on the sample
    """

    records: int
    labels: float
    same_call: float
    same_leader: float
    phi_error: float
    degenerate: int
    stacked: float
    stacked_low: float
    stacked_high: float
    best_single: float


@dataclass(frozen=True)
class PanelPlan:
    """Curve and answers.

    Attributes
    ----------
    phi_bar, competent, admissible : the population's coordinates and call
    kappas : (k,) of the members in the population
    unweighted : kappa of the unweighted majority on the scoring sample
    reference : kappa of the stacker fitted on the reference sample
    points : by budget, ascending
    call_from : smallest budget from which on the call is the population's in ``CALL_SURE`` of the samples; None if none
    useful_from : likewise, from which on the mean stacker is above the unweighted majority
    stable_from : likewise, from which on it keeps ``NEAR`` of the reference's kappa
    """

    phi_bar: float
    competent: int
    admissible: bool
    kappas: Floats
    unweighted: float
    reference: float
    points: tuple[PlanPoint, ...]
    call_from: int | None
    useful_from: int | None
    stable_from: int | None


def plan_panel(
    model: PanelModel,
    *,
    budgets: Sequence[int] = BUDGETS,
    n_replicates: int = N_REPLICATES,
    seed: int = 0,
    thresholds: Thresholds = DECLARED,
) -> PanelPlan:
    """Draw, fit and score at every budget; each has a random stream of its own.

    Budgets are taken once and in ascending order.

    Raises
    ------
    InputError
        If there is one member: no pair has an error correlation.
    """
    if len(model.members) < 2:
        raise InputError("one member is no panel: give two or more")
    kappas, phi_bar = model.kappas(), model.phi_bar()
    competent = int(np.sum(np.nan_to_num(kappas) >= thresholds.kappa))
    admissible = competent >= thresholds.required(len(kappas)) and phi_bar <= thresholds.phi
    reference = draw_records(model, N_REFERENCE, np.random.default_rng([seed, 0, 0]))
    further = draw_records(model, N_REFERENCE, np.random.default_rng([seed, 0, 1]))
    free = float(kappa(confusion(unweighted(further.votes)[:, None], further.gold))[0])
    scores = _Scores(further)
    best = float(scores.stacked(_fit(reference, np.zeros_like(reference.record), 1))[0])
    points = tuple(
        _point(
            model,
            budget,
            n_replicates,
            seed,
            thresholds,
            (admissible, int(kappas.argmax()), phi_bar),
            scores,
            free,
        )
        for budget in sorted(set(budgets))
    )
    return PanelPlan(
        phi_bar=phi_bar,
        competent=competent,
        admissible=admissible,
        kappas=kappas,
        unweighted=free,
        reference=best,
        points=points,
        call_from=_from([point.same_call >= CALL_SURE for point in points], points),
        useful_from=_from([point.stacked > free for point in points], points),
        stable_from=_from([point.stacked >= NEAR * best for point in points], points),
    )


def pilot_certainty(
    panel: VoteMatrix, *, n_draws: int = N_DRAWS, seed: int = 0, thresholds: Thresholds = DECLARED
) -> float:
    """Share of the pilot's cluster resamples that give the pilot's own call.

    A plan from a pilot takes its rates and correlations for the truth; where this share is low, they are not known well
    enough for the plan's call to be relied on.
    """
    distinct = collapse(np.column_stack([panel.votes, panel.gold]))
    rows, labels = distinct.rows[:, :-1], distinct.rows[:, -1].astype(np.int64)
    own = distinct.count(panel.cluster, panel.n_clusters)
    whole = coordinates(rows, labels, own.sum(axis=0, keepdims=True), thresholds.kappa).admissible(
        thresholds
    )[0]
    same = [
        coordinates(rows, labels, weights @ own, thresholds.kappa).admissible(thresholds) == whole
        for weights in cluster_weights(panel.n_clusters, n_draws, seed)
    ]
    return float(np.concatenate(same).mean())


def _from(holds: Sequence[bool], points: Sequence[PlanPoint]) -> int | None:
    """The first budget from which on a condition holds at every budget."""
    found = None
    for good, point in zip(reversed(holds), reversed(points), strict=True):
        if not good:
            break
        found = point.records
    return found


def _point(
    model: PanelModel,
    budget: int,
    n_replicates: int,
    seed: int,
    thresholds: Thresholds,
    truth: tuple[bool, int, float],
    scores: _Scores,
    free: float,
) -> PlanPoint:
    sample = draw_records(model, budget * n_replicates, np.random.default_rng([seed, budget]))
    replicate = sample.record // budget
    admissible, leader, phi_bar = truth
    found = _coordinates(sample, replicate, n_replicates, thresholds)
    error = np.abs(found.phi_bar - phi_bar)
    positives = np.bincount(replicate, weights=sample.gold, minlength=n_replicates)
    both = (positives > 0) & (positives < np.bincount(replicate, minlength=n_replicates))
    stacked = np.full(n_replicates, free)
    if both.any():
        kept = both[replicate]
        part = Sample(sample.votes[kept], sample.gold[kept], sample.record[kept])
        code = np.cumsum(both) - 1
        stacked[both] = scores.stacked(_fit(part, code[replicate[kept]], int(both.sum())))
    low, high = np.percentile(stacked, [5, 95])
    training = confusion_by_group(sample.votes, sample.gold, replicate, n_replicates)
    chosen = committed_balanced_accuracy(training).argmax(axis=1)
    return PlanPoint(
        records=budget,
        labels=budget * model.items_per_record,
        same_call=float((found.admissible(thresholds) == admissible).mean()),
        same_leader=float((found.leader == leader).mean()),
        phi_error=float(np.nanmedian(error)) if not np.isnan(error).all() else float("nan"),
        degenerate=int((~both).sum()),
        stacked=float(stacked.mean()),
        stacked_low=float(low),
        stacked_high=float(high),
        best_single=float(scores.members[chosen].mean()),
    )


def _coordinates(sample: Sample, replicate: Ints, n_replicates: int, thresholds: Thresholds) -> Coordinates:
    distinct = collapse(np.column_stack([sample.votes, sample.gold]))
    weights = distinct.count(replicate, n_replicates)
    labels = distinct.rows[:, -1].astype(np.int64)
    return coordinates(distinct.rows[:, :-1], labels, weights, thresholds.kappa)


def _fit(sample: Sample, group: Ints, n_groups: int) -> LogisticFits:
    """The stacker on each group of the sample's items; every group has both classes."""
    patterns = collapse(sample.votes)
    ones = patterns.count(group, n_groups, keep=sample.gold == 1)
    return fit_logistic(imputed(patterns.rows), ones, patterns.count(group, n_groups))


class _Scores:
    """Kappas on further records: of stackers, and of each member."""

    def __init__(self, further: Sample) -> None:
        patterns = collapse(further.votes)
        self.rows = imputed(patterns.rows)
        self.counts = patterns.count(further.gold, 2)
        self.members = kappa(confusion(further.votes, further.gold))

    def stacked(self, fits: LogisticFits) -> Floats:
        """(F,) kappa of each fit."""
        called = (fits.margins(self.rows) > TIE).astype(np.float64)
        zeros, ones = self.counts
        tp, fp = called @ ones, called @ zeros
        negatives, positives = (np.full_like(tp, count.sum()) for count in self.counts)
        return kappa(Confusion(tp, fp, positives - tp, negatives - fp, positives, negatives))
