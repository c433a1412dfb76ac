"""How far the simulated suite is from the publication: what is fitted, and what follows from it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from analysis.panel.votes import VoteMatrix
from analysis.simulation.distance import compare, read_published, summarise
from analysis.simulation.distance_beside import (
    compare_frames,
    fit_of_frames,
    summarise_beside,
    trained_distances,
)
from analysis.simulation.refine import deviations
from analysis.simulation.targets import read_targets
from analysis.simulation.write import LABEL, judge_name, member_name
from analysis.skip import Skip
from analysis.steps.context import BenchmarkContext, SuiteContext

SCOPE = "suite"
READS = ("ladder", "frontier", "regime_budget", "learning_curve", "judges", "frame_contrast")
_FRONTIER = "claude-sonnet-4-6"


def derive(context: SuiteContext) -> dict[str, Any]:
    """By benchmark the fit's deviations and every unfitted quantity beside its published value, and a summary."""
    if context.suite.label != LABEL or context.suite.suite != "sim":
        raise Skip("its records are not the simulated suite's, which alone is fitted to the publication")
    compared = {name: _benchmark(one) for name, one in context.benchmarks.items()}
    return {"benchmarks": compared, "summary": summarise(compared) | summarise_beside(compared)}


def _benchmark(context: BenchmarkContext) -> dict[str, Any]:
    name, read = context.benchmark, partial(context.derived.read, context.benchmark)
    targets, published = read_targets(), read_published()[name]
    target = targets.benchmarks[name]
    frontier = read("frontier")[member_name(_FRONTIER)]["kappa"]["delta"]
    fit = _fit(context)
    result = {"fit": fit} | compare(
        published, read("ladder"), frontier, read("regime_budget"), read("learning_curve")
    )
    trained = {
        judge_name(judge): target.scores[judge.checkpoint].kappa
        for judge in targets.judges
        if judge.role == "purpose_trained" and judge.checkpoint in target.scores
    }
    result["trained"] = trained_distances(trained, read("judges"))
    if target.second_frame is not None:
        contrast, names = (
            read("frame_contrast"),
            {one: member_name(one) for one in target.second_frame.scores},
        )
        judges = contrast["members"] | contrast["comparators"]
        fit["frames"] = fit_of_frames(
            target.second_frame, {one: judges[there] for one, there in names.items()}
        )
        result["frames"] = compare_frames(published["frames"], contrast, _arms(context), names)
    return result


def _arms(context: BenchmarkContext) -> VoteMatrix:
    """The second arms of the panel's members in the panel's order."""
    seconds = context.with_role("def_on")
    columns = [seconds[f"{member}.def_on"] for member in context.votes.members]
    return replace(context.votes, votes=np.column_stack(columns))


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
