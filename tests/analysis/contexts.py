"""Contexts of steps made of simulated panels, without files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from analysis.arrays import Floats
from analysis.panel.suites import Panel
from analysis.panel.votes import VoteMatrix
from analysis.pipeline.derived import Derived
from analysis.steps.context import BenchmarkContext, SuiteContext
from verdicts.records.suite import Suite, SuiteBenchmark, SuiteMember

TIERS = {
    "medhallu": "core grounded",
    "wice": "core grounded",
    "xsum": "core grounded",
    "factscore": "ungrounded",
}


def member(name: str, role: str = "member", tag: str = "", arm_of: str = "") -> SuiteMember:
    return SuiteMember(tag or name.title(), f"example/{name}", "0", "generative", role=role, arm_of=arm_of)


def suite_context(
    panels: Mapping[str, VoteMatrix],
    comparators: Mapping[str, tuple[SuiteMember, Mapping[str, Floats]]] | None = None,
    derived: Path = Path("nowhere"),
) -> SuiteContext:
    """``comparators``: by name, its description and its votes on some of the benchmarks."""
    others = comparators or {}
    names = sorted({name for panel in panels.values() for name in panel.members})
    suite = Suite(
        "toy",
        "Toy",
        "SIMULATED",
        {name: SuiteBenchmark(name.title(), TIERS.get(name, "grounded"), "def_on") for name in panels},
        {name: member(name) for name in names}
        | {name: description for name, (description, _) in others.items()},
    )
    files = Derived(derived)
    contexts = {}
    for name, panel in panels.items():
        here = {other: votes[name] for other, (_, votes) in others.items() if name in votes}
        left_out = {other: "not asked about this benchmark" for other in others if other not in here}
        contexts[name] = BenchmarkContext(suite, name, Panel(panel, here, left_out), files)
    return SuiteContext(suite, "0" * 64, contexts, files)


def judge(panel: VoteMatrix, seed: int, accuracy: float = 0.8, missing: float = 0.05) -> Floats:
    """Votes (n,) of one more judge, independent of the members."""
    rng = np.random.default_rng(seed)
    right = rng.random(panel.n_items) < accuracy
    votes = np.where(right, panel.gold, 1 - panel.gold).astype(np.float64)
    votes[rng.random(panel.n_items) < missing] = np.nan
    return votes
