"""Holm-adjusted p of the panel against its CV-best single member, over two families (section 3.2, appendix K)."""

from __future__ import annotations

from typing import Any

from analysis.skip import Skip
from analysis.statistics.holm import holm
from analysis.steps.context import SuiteContext

SCOPE = "suite"
READS = ("ladder",)
#: The primary denominator of section 2.
CORE = "core grounded"


def derive(context: SuiteContext) -> dict[str, Any]:
    """By family: the one-sided p of each benchmark's kappa difference, and the adjusted one."""
    raw = {
        name: context.derived.read(name, "ladder")["deltas"]["stacked-best_cv"]["kappa"]["p_one_sided"]
        for name in context.benchmarks
    }
    if all(p is None for p in raw.values()):
        raise Skip("no benchmark has a defined difference between the panel and its CV-best single member")
    core = [name for name in raw if context.suite.benchmarks[name].tier == CORE]
    families = {"core": core, "all": list(raw)} if core else {"all": list(raw)}
    return {
        family: {
            "n_tested": sum(raw[name] is not None for name in names),
            "benchmarks": {
                name: {"p_one_sided": raw[name], "p_holm": adjusted}
                for name, adjusted in holm({name: raw[name] for name in names}).items()
            },
        }
        for family, names in families.items()
    }
