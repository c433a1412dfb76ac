"""The simulated suite's votes, benchmark by benchmark."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import Floats
from analysis.simulation.comparators import (
    comparator_drawing,
    comparator_latent,
    comparator_table,
    frontier_weight,
    panel_mean,
)
from analysis.simulation.confusions import Table
from analysis.simulation.dependence import pair_dependence
from analysis.simulation.drawing import draw
from analysis.simulation.fit import fit_correlation
from analysis.simulation.items import Items, matched_pairs, pooled_claims
from analysis.simulation.refine import refine
from analysis.simulation.second_frame import SecondArms, second_arms
from analysis.simulation.targets import Benchmark, Targets

#: The order in which kinds of judges are drawn.
_ORDER = ("member", "frontier", "larger", "purpose_trained")


@dataclass(frozen=True)
class Simulated:
    """One simulated benchmark.

    Attributes
    ----------
    votes : by checkpoint, (n,) verdicts of members and comparators, NaN = abstained
    tables : by checkpoint, the confusion tables they have
    dependence : latent correlation within matched pairs
    agreement : weight of the panel's mean normal in the comparators'
    deviation : root mean squared deviation of the pairs' error correlations before single votes were exchanged
    swaps : exchanges of single votes
    second : the second arms, None where there are none
    """

    items: Items
    votes: Mapping[str, Floats]
    tables: Mapping[str, Table]
    dependence: float
    agreement: float
    deviation: float
    swaps: int
    second: SecondArms | None = None


def simulate_suite(
    targets: Targets, tables: Mapping[str, Mapping[str, Table]], seed: int, *, comparators: bool = True
) -> Iterator[tuple[str, Simulated]]:
    """Every benchmark with its name, each from a stream of its own: leaving one out changes no other.

    ``tables`` are the members' (:func:`analysis.simulation.competence.member_tables`). Without ``comparators`` the
    members' votes are the same.
    """
    wanted = targets if comparators else _members_only(targets)
    for name, benchmark in wanted.benchmarks.items():
        rng = np.random.default_rng([seed, zlib.crc32(name.encode("utf-8"))])
        yield name, _simulate(wanted, benchmark, tables[name], rng)


def _members_only(targets: Targets) -> Targets:
    return replace(
        targets,
        judges=tuple(judge for judge in targets.judges if judge.role == "member"),
        benchmarks={name: replace(one, second_frame=None) for name, one in targets.benchmarks.items()},
    )


def _simulate(
    targets: Targets, benchmark: Benchmark, members: Mapping[str, Table], rng: np.random.Generator
) -> Simulated:
    if benchmark.paired:
        items = matched_pairs(sum(count for _, _, count in benchmark.clusters))
    else:
        items = pooled_claims(benchmark.clusters, rng)
    drawing = draw(items, list(members.values()), rng)
    dependence, fit = 0.0, fit_correlation(drawing, benchmark.phi, 0.0)
    if benchmark.paired:
        dependence = pair_dependence(drawing, fit, benchmark.average_member)
        fit = fit_correlation(drawing, benchmark.phi, dependence)
    refined = refine(fit.votes, items.gold, benchmark.phi)
    votes = dict(zip(members, refined.votes.T, strict=True))
    tables = dict(members)

    panel = panel_mean(fit.latent)
    latent = dict(zip(members, fit.latent.T, strict=True))
    agreement = 0.0
    # One after another from one stream: a kind that is added later leaves the votes of those before it what they are.
    for judge in sorted(targets.judges, key=lambda judge: _ORDER.index(judge.role)):
        if judge.role == "member" or judge.checkpoint not in benchmark.scores:
            continue
        table = comparator_table(benchmark.scores[judge.checkpoint], items.class_sizes)
        own = comparator_drawing(items, table, rng)
        # The frontier judge fixes the weight of the larger ones; whom the purpose-trained agree with is not published.
        if judge.role == "frontier":
            agreement = frontier_weight(own, refined.votes, panel, dependence, benchmark.panel_minus_frontier)
        weight = 0.0 if judge.role == "purpose_trained" else agreement
        latent[judge.checkpoint] = comparator_latent(own, panel, weight, dependence)
        votes[judge.checkpoint] = own.votes(latent[judge.checkpoint][:, None])[:, 0]
        tables[judge.checkpoint] = table
    second = None
    if benchmark.second_frame is not None:
        second = second_arms(benchmark.second_frame, items, list(members), votes, latent, rng)
    return Simulated(items, votes, tables, dependence, agreement, fit.deviation, refined.swaps, second)
