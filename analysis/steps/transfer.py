"""Leave-one-dataset-out transfer: Figure 8."""

from __future__ import annotations

from typing import Any

from analysis.estimators.transfer import both_classes, pooled_fit, shared_members, transfer
from analysis.skip import Skip
from analysis.steps.context import SuiteContext

SCOPE = "suite"
READS: tuple[str, ...] = ()
#: The benchmarks that the paper transfers between (appendix E).
TIER = "core grounded"


def derive(context: SuiteContext) -> dict[str, Any]:
    """The stacker of the other core grounded benchmarks on each of them, with the members that all of them have."""
    panels = {
        name: one.votes
        for name, one in context.benchmarks.items()
        if context.suite.benchmarks[name].tier == TIER and both_classes(one.votes)
    }
    if len(panels) < 2:
        raise Skip(f"transfer needs two {TIER} benchmarks, and the suite has {len(panels)}")
    members = shared_members(panels)
    if not members:
        raise Skip(f"no member has judged all of its {TIER} benchmarks")
    left_out = {
        name: [member for member in panel.members if member not in members] for name, panel in panels.items()
    }
    panels = {name: panel.select_members(members) for name, panel in panels.items()}
    intercept, coefficients = pooled_fit(list(panels.values()))
    return {
        "members": list(members),
        "left_out": left_out,
        "benchmarks": {
            name: transfer(panels, name, context.benchmarks[name].with_role("frontier")) for name in panels
        },
        "pooled": {
            "n_items": sum(panel.n_items for panel in panels.values()),
            "intercept": intercept,
            "coefficients": dict(zip(members, coefficients.tolist(), strict=True)),
        },
    }
