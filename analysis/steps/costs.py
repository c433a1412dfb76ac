"""Cost of the suite's panel against its frontier judge at the paper's rates: Table 2's columns and Figure 11."""

from __future__ import annotations

from typing import Any

from analysis.estimators.costs import compare, read_rates
from analysis.skip import Skip
from analysis.steps.context import SuiteContext

SCOPE = "suite"
READS: tuple[str, ...] = ()


def derive(context: SuiteContext) -> dict[str, Any]:
    """USD per 1,000 items of each judge that the paper's rates name, and the break-even against the frontier judge."""
    rates = read_rates()
    by_role: dict[str, dict[str, str]] = {}
    for name, member in context.suite.members.items():
        by_role.setdefault(member.role, {})[name] = member.judge
    members = by_role.get("member", {})
    named = [name for name, judge in members.items() if rates.local(judge) is not None]
    if len(named) < len(members):
        raise Skip(
            f"the paper's rates name {len(named)} of its {len(members)} members; `raim costs --rates` takes others"
        )
    panel = rates.sequence(members.values())
    costs = {
        name: rates.api(judge) if role == "frontier" else rates.local(judge)
        for role in ("member", "larger", "frontier")
        for name, judge in by_role.get(role, {}).items()
    }
    result: dict[str, Any] = {
        "source": rates.source,
        "usd_per_label": rates.usd_per_label,
        "usd_per_1000_items": {"panel": panel, "judges": costs},
    }
    for name in by_role.get("frontier", {}):
        if (price := costs[name]) is not None:
            result["frontier"] = name
            result |= {"comparison": compare(rates, panel, price)}
    return result
