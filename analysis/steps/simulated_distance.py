"""How far the simulated suite is from the publication: what is fitted, and what follows from it."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.simulation.distance import compare, read_published, summarise
from analysis.simulation.refine import deviations
from analysis.simulation.targets import read_targets
from analysis.simulation.write import LABEL, member_name
from analysis.skip import Skip
from analysis.steps.context import BenchmarkContext, SuiteContext

SCOPE = "suite"
READS = ("ladder", "frontier", "regime_budget", "learning_curve")
_FRONTIER = "claude-sonnet-4-6"


def derive(context: SuiteContext) -> dict[str, Any]:
    """By benchmark the fit's deviations and every unfitted quantity beside its published value, and a summary."""
    if context.suite.label != LABEL or context.suite.suite != "sim":
        raise Skip("its records are not the simulated suite's, which alone is fitted to the publication")
    published = read_published()
    compared = {}
    for name, one in context.benchmarks.items():
        ladder, judges, budget, curve = (one.derived.read(name, step) for step in READS)
        frontier = judges[member_name(_FRONTIER)]["kappa"]["delta"]
        compared[name] = {"fit": _fit(one)} | compare(published[name], ladder, frontier, budget, curve)
    return {"benchmarks": compared, "summary": summarise(compared)}


def _fit(context: BenchmarkContext) -> dict[str, Any]:
    targets = read_targets()
    target = targets.benchmarks[context.benchmark]
    panel = context.votes
    if panel.members != tuple(map(member_name, targets.members)):
        raise Skip("its members are not those of the simulation's targets")
    off = deviations(panel.votes, panel.gold, target.phi)
    kappas = context.derived.overview["benchmarks"][context.benchmark]["members"]
    return {
        "kappa_largest": max(
            abs(kappas[member_name(member)]["kappa"] - target.scores[member].kappa)
            for member in targets.members
        ),
        "phi_bar": float(off.mean()),
        "phi_rms": float(np.sqrt(np.mean(off**2))),
        "phi_largest": float(np.abs(off).max()),
    }
