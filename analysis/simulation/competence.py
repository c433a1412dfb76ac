"""Competence by class: one confusion table for each member, where its published scores leave several.

Errors of two members correlate over the whole sample for two reasons: they err on the same items of a class, and they
lean to the same class. With class weights 1/2 the covariance of their error indicators is the mean of the covariances
within the classes plus b_i b_j / 4, b being miss rate minus false-alarm rate. The published correlations therefore say
something about the members' biases. Of the tables that a member's scores allow, those are taken whose biases, with one
common factor for the covariance within the classes, leave the published correlations the smallest squared residuals.

Exchanging the labels of all members changes no correlation and no kappa. Of the two mirror images, that is taken whose
biases correlate with the members' mean biases on the benchmarks where the scores leave one table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import least_squares
from scipy.special import expit, logit

from analysis.arrays import Floats
from analysis.simulation.confusions import Table, admissible, balanced, is_free
from analysis.simulation.targets import Benchmark, Targets

#: A smaller sum of squared residuals than this share of the other's counts as better.
_BETTER = 1 - 1e-6
_LEAST_VARIANCE = 1e-6


def member_tables(targets: Targets) -> dict[str, dict[str, Table]]:
    """``{benchmark: {checkpoint: table}}`` of the members: exact where scores leave one table, else as above."""
    chosen = {name: _choose(benchmark, targets.members) for name, benchmark in targets.benchmarks.items()}
    known = [[table.bias for table in tables] for tables, single in chosen.values() if single]
    leaning = np.mean(known, axis=0)
    result = {}
    for name, (tables, single) in chosen.items():
        biases = np.array([table.bias for table in tables])
        mirror = not single and float(np.corrcoef(biases, leaning)[0, 1]) < 0
        kept = [table.mirrored() for table in tables] if mirror else tables
        result[name] = dict(zip(targets.members, kept, strict=True))
    return result


def _choose(benchmark: Benchmark, members: Sequence[str]) -> tuple[list[Table], bool]:
    """The members' tables, and whether none of them was left free by the scores."""
    scores = [benchmark.scores[member] for member in members]
    free = np.array([is_free(one, benchmark.class_sizes) for one in scores])
    options = [
        [] if no else admissible(one, benchmark.class_sizes) for one, no in zip(scores, free, strict=True)
    ]
    missing = [member for member, o, f in zip(members, options, free, strict=True) if not (o or f)]
    if missing:
        raise ValueError(f"{benchmark.title}: no confusion table has the published scores of {missing}")
    if all(len(tables) == 1 for tables in options):
        return [tables[0] for tables in options], True
    kappas = np.array([one.kappa for one in scores])
    return choose_tables(benchmark.phi, kappas, options, benchmark.class_sizes[0]), not free.any()


def choose_tables(
    phi: Floats, kappas: Floats, options: Sequence[Sequence[Table]], class_size: int
) -> list[Table]:
    """One table for each member, up to the mirror image of all.

    Starts at the tables nearest to the biases of the unrestricted fit and changes one member's at a time, the one that
    lowers the squared residuals most, until none does.

    Parameters
    ----------
    phi : (k, k) error correlations
    kappas : (k,)
    options : the tables a member's scores allow; none for a member that commits on all items of two classes of
        ``class_size`` and has no other scores
    """
    search = _Search(phi, kappas)
    picks = _nearest(options, search.biases({}))
    cost = search.cost(_fixed(options, picks))
    while (best := _best_change(search, options, picks, cost)) is not None:
        picks, cost = best
    biases = search.biases(_fixed(options, picks))
    return [
        tables[pick] if tables else balanced(float(kappa), round(float(bias), 4), class_size)
        for tables, pick, kappa, bias in zip(options, picks, kappas, biases, strict=True)
    ]


def _nearest(options: Sequence[Sequence[Table]], biases: Floats) -> list[int]:
    """For each member the option with the bias nearest to the one wanted; 0 for a free member."""
    return [
        int(np.argmin([abs(table.bias - bias) for table in tables])) if tables else 0
        for tables, bias in zip(options, biases, strict=True)
    ]


def _best_change(
    search: _Search, options: Sequence[Sequence[Table]], picks: list[int], cost: float
) -> tuple[list[int], float] | None:
    """The single change of a pick that lowers the cost most, with its cost; None where none lowers it."""
    best = None
    for member, tables in enumerate(options):
        for option in range(len(tables)):
            if option != picks[member]:
                changed = [*picks[:member], option, *picks[member + 1 :]]
                value = search.cost(_fixed(options, changed))
                if value < cost * _BETTER:
                    best, cost = (changed, value), value
    return best


def _fixed(options: Sequence[Sequence[Table]], picks: Sequence[int]) -> dict[int, float]:
    return {
        member: tables[pick].bias
        for member, (tables, pick) in enumerate(zip(options, picks, strict=True))
        if tables
    }


class _Search:
    """Least squares of one factor and the free members' biases against the published correlations."""

    def __init__(self, phi: Floats, kappas: Floats) -> None:
        self.phi, self.kappas = phi, kappas
        self.above = np.triu_indices(len(phi), 1)

    def cost(self, fixed: Mapping[int, float]) -> float:
        """Sum of squared residuals of the best fit with some members' biases fixed."""
        return self._fit(fixed)[1]

    def biases(self, fixed: Mapping[int, float]) -> Floats:
        """(k,) biases of the best fit with some members' biases fixed."""
        return self._fit(fixed)[0]

    def _fit(self, fixed: Mapping[int, float]) -> tuple[Floats, float]:
        size = len(self.kappas)
        open_ = [member for member in range(size) if member not in fixed]
        room = 1 - np.abs(self.kappas[open_])

        def unpack(x: Floats) -> tuple[Floats, Floats]:
            bias = np.zeros(size)
            bias[list(fixed)] = list(fixed.values())
            bias[open_] = np.tanh(x[size:]) * room
            return expit(x[:size]), bias

        def residuals(x: Floats) -> Floats:
            difference: Floats = (self._correlation(*unpack(x)) - self.phi)[self.above]
            return difference

        # Opposite starts for the open biases: the two ways in which members can part into camps.
        apart = 0.1 * np.sign(self.phi[:, 0] - np.median(self.phi[:, 0]))[open_]
        best, least = np.zeros(size), np.inf
        for start in (apart, -apart) if open_ else (apart,):
            first = np.concatenate([np.full(size, logit(0.6)), start])
            found = least_squares(residuals, first, xtol=1e-10, ftol=1e-10, gtol=1e-10)
            if found.cost < least * _BETTER:
                best, least = unpack(found.x)[1], float(found.cost)
        return best, least

    def _correlation(self, loading: Floats, bias: Floats) -> Floats:
        """(k, k) error correlations of members with these loadings on one factor and these biases."""
        miss, alarm = (1 - self.kappas + bias) / 2, (1 - self.kappas - bias) / 2
        within = np.maximum((miss * (1 - miss) + alarm * (1 - alarm)) / 2, _LEAST_VARIANCE)
        overall = (miss + alarm) / 2
        scale = np.sqrt(overall * (1 - overall))
        shared = loading * np.sqrt(within)
        correlation: Floats = (np.outer(shared, shared) + np.outer(bias, bias) / 4) / np.outer(scale, scale)
        return correlation
