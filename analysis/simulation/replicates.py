"""The unfitted kappas over many seeds: how much of a distance to the publication is the simulation's own chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.combiners.dawid_skene import PUBLISHED
from analysis.estimators.combine import combine
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.panel.votes import vote_matrix
from analysis.simulation.build import Simulated, simulate_suite
from analysis.simulation.confusions import Table
from analysis.simulation.distance import METHODS, read_published
from analysis.simulation.refine import deviations
from analysis.simulation.targets import Targets

#: Published kappas are means of bootstrap draws, simulated ones full-sample values: the release's two differ by less.
_OFF = 0.003


def replicate(
    targets: Targets, tables: Mapping[str, Mapping[str, Table]], seeds: Sequence[int]
) -> dict[str, Any]:
    """By benchmark and method, the published kappa beside mean and sd of the simulated ones.

    ``within`` is the number of benchmarks whose published value lies within two sd of the simulated mean, give or take
    what a mean of bootstrap draws is off the full-sample value.
    """
    found: dict[str, dict[str, list[float]]] = {name: {m: [] for m in METHODS} for name in targets.benchmarks}
    off: dict[str, list[float]] = {name: [] for name in targets.benchmarks}
    for seed in seeds:
        for name, one in simulate_suite(targets, tables, seed, comparators=False):
            for method, value in zip(METHODS, _kappas(targets, one), strict=True):
                found[name][method].append(float(value))
            votes = np.column_stack([one.votes[member] for member in targets.members])
            off[name].append(
                float(np.abs(deviations(votes, one.items.gold, targets.benchmarks[name].phi)).max())
            )
    published = read_published()
    benchmarks = {
        name: {
            "kappa": {m: _summary(published[name]["kappa"][m][0], values) for m, values in by_method.items()},
            "phi_largest": max(off[name]),
        }
        for name, by_method in found.items()
    }
    return {"seeds": list(seeds), "benchmarks": benchmarks, "summary": _overall(benchmarks)}


def _kappas(targets: Targets, one: Simulated) -> Floats:
    """(methods,) kappas on all items."""
    items = one.items
    panel = vote_matrix(
        targets.members,
        items.uids,
        [str(code) for code in items.cluster],
        items.gold,
        np.column_stack([one.votes[member] for member in targets.members]),
        sort_items=True,
    )
    predictions = combine(panel, None, PUBLISHED).predictions
    return kappa(confusion(np.column_stack([predictions[method] for method in METHODS]), panel.gold))


def _summary(published: float, values: Sequence[float]) -> dict[str, Any]:
    return {"published": published, "mean": float(np.mean(values)), "sd": float(np.std(values, ddof=1))}


def _overall(benchmarks: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    result = {}
    for method in METHODS:
        entries = [entry["kappa"][method] for entry in benchmarks.values()]
        distance = np.array([entry["mean"] - entry["published"] for entry in entries])
        sd = np.array([entry["sd"] for entry in entries])
        result[method] = {
            "mean_distance": float(distance.mean()),
            "mean_absolute_distance": float(np.abs(distance).mean()),
            "largest_distance": float(np.abs(distance).max()),
            "mean_sd": float(sd.mean()),
            "within": int((np.abs(distance) <= 2 * sd + _OFF).sum()),
            "benchmarks": len(entries),
        }
    return result
