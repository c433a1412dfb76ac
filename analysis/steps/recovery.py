"""Item-level recovery: Table 4."""

from __future__ import annotations

from typing import Any

from analysis.estimators.recovery import leader_errors, recovery
from analysis.panel.votes import require_analysable
from analysis.skip import Skip
from analysis.statistics.folds import N_FOLDS
from analysis.steps.context import SuiteContext

SCOPE = "suite"
READS: tuple[str, ...] = ()


def derive(context: SuiteContext) -> dict[str, Any]:
    """The recovery test over the suite's benchmarks."""
    errors = {}
    for name, one in context.benchmarks.items():
        require_analysable(one.votes, N_FOLDS)
        errors[name] = leader_errors(one.votes)
    if not any(len(items.recovered) for items in errors.values()):
        raise Skip("no CV-best single member errs on any item")
    return recovery(errors)
