"""The routes that Table 2 compares, as a suite measured them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.cells import UNDEFINED, Number


@dataclass(frozen=True)
class Route:
    """One way of judging.

    Attributes
    ----------
    name, size : as printed
    means : by scope, an entry of the ``routes`` step
    cost : USD per 1,000 items
    one_time : outlay on a new domain
    open : whether the weights are
    """

    name: str
    size: str
    means: Mapping[str, Mapping[str, Any]]
    cost: Number
    one_time: str
    open: bool


class Costs:
    """The ``costs`` step as cells, or everywhere undefined with the reason why the suite has no costs."""

    def __init__(self, derived: Derived) -> None:
        self._values: Mapping[str, Any] | None = None
        try:
            self._values = derived.read_suite("costs")
        except Skip as skip:
            self._reason = str(skip)

    def notes(self) -> list[str]:
        """Where the costs come from."""
        return [] if self._values is None else [f"Costs: {self._values['source']}."]

    def panel(self) -> Number:
        """Cost of all members, one after another."""
        if self._values is None:
            return Number(None, reason=self._reason)
        return _usd(self._values["usd_per_1000_items"]["panel"])

    def judges(self, names: Sequence[str]) -> Number:
        """Mean cost of single judges."""
        if self._values is None:
            return Number(None, reason=self._reason)
        prices = [self._values["usd_per_1000_items"]["judges"].get(name) for name in names]
        if not prices or None in prices:
            return Number(None, reason="the rates do not name the judge")
        return _usd(sum(prices) / len(prices))

    def labels(self) -> str:
        """Outlay at the two budgets of section 4."""
        if self._values is None or "comparison" not in self._values:
            return "labels"
        low, high = (entry["outlay"] for entry in self._values["comparison"]["break_even"][:2])
        return f"{low:g}–{high:g} USD"


def measured_routes(derived: Derived, costs: Costs) -> list[Route]:
    """The routes of a suite, in the order of Table 2."""
    means = derived.read_suite("routes")
    roster = derived.overview["roster"]
    members = [name for name, entry in roster.items() if entry["role"] == "member"]
    sizes = _sizes([roster[name]["parameters"] for name in members])

    def of_panel(name: str, method: str, size: str, cost: Number, one_time: str) -> Route:
        return Route(name, size, means["methods"][method], cost, one_time, open=True)

    one = costs.judges(members)
    many = f"{len(members)} × {sizes}"
    return [
        *_judges(derived, "purpose_trained", costs),
        of_panel("average member", "average_member", sizes, one, "none"),
        of_panel("best single member (CV-selected)", "best_cv", sizes, one, costs.labels()),
        *_judges(derived, "larger", costs),
        of_panel("stacked panel", "stacked", many, costs.panel(), costs.labels()),
        *_judges(derived, "frontier", costs),
    ]


def _judges(derived: Derived, role: str, costs: Costs) -> list[Route]:
    roster, means = derived.overview["roster"], derived.read_suite("routes")["judges"]
    once = "fine-tune" if role == "purpose_trained" else "none"
    return [
        Route(
            roster[name]["tag"],
            roster[name]["parameters"] or UNDEFINED,
            means[name],
            costs.judges([name]),
            once,
            open=role != "frontier",
        )
        for name in roster
        if roster[name]["role"] == role and name in means
    ]


def _usd(value: float) -> Number:
    return Number(value, 3 if value < 1 else 2)


def _sizes(parameters: Sequence[str]) -> str:
    """``4B–9B`` from the members' sizes as their cards state them; nothing where they state none."""
    units = {"K": 1e3, "M": 1e6, "B": 1e9}
    sizes = {text: float(text[:-1]) * units[text[-1]] for text in parameters if text and text[-1] in units}
    if not sizes:
        return UNDEFINED
    low, high = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
    return low if low == high else f"{low}–{high}"
