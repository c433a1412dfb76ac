"""What only a whole suite knows: its members' scores side by side, and the member that is best on average."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from analysis.combiners.best_single import best_on_average
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.panel.suites import Panel
from analysis.steps.context import SuiteContext
from verdicts.records.suite import SuiteBenchmark, member_json

SCOPE = "suite"
READS: tuple[str, ...] = ()


def derive(context: SuiteContext) -> dict[str, Any]:
    """Descriptions, members' kappas and coverage, who is left out and why, and the best-on-average member.

    The roster keeps the suite's order.
    """
    benchmarks = {
        name: _benchmark(context.suite.benchmarks[name], one.panel)
        for name, one in context.benchmarks.items()
    }
    kappas = {
        name: {member: scores["kappa"] for member, scores in entry["members"].items()}
        for name, entry in benchmarks.items()
    }
    return {
        "suite": context.suite.suite,
        "title": context.suite.title,
        "label": context.suite.label,
        "records": context.records,
        "best_on_average": best_on_average(kappas),
        "coverage_gate": context.suite.coverage_gate,
        "roster": {name: member_json(member) for name, member in context.suite.members.items()},
        "benchmarks": benchmarks,
    }


def _benchmark(description: SuiteBenchmark, panel: Panel) -> dict[str, Any]:
    votes = panel.votes
    counts = confusion(votes.votes, votes.gold)
    scores = zip(votes.members, kappa(counts), counts.committed, strict=True)
    return {
        **asdict(description),
        "n_items": votes.n_items,
        "n_clusters": votes.n_clusters,
        "prevalence": votes.prevalence,
        "members": {
            member: {
                **({"kappa": float(value)} if not np.isnan(value) else _undefined()),
                "n_scored": int(committed),
                "n_total": votes.n_items,
            }
            for member, value, committed in scores
        },
        "comparators": {
            name: {"n_scored": int((np.isfinite(verdicts)).sum()), "n_total": votes.n_items}
            for name, verdicts in panel.comparators.items()
        },
        "left_out": dict(sorted(panel.left_out.items())),
        "judged": dict(panel.judged),
    }


def _undefined() -> dict[str, Any]:
    return {"kappa": None, "reason": "fewer than two committed items, or one gold class among them"}
