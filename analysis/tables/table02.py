"""Table 2: quality, cost and applicability of each route."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.derived import Derived
from analysis.published import read_published
from analysis.tables.cells import Cell, Heading, Number, Row
from analysis.tables.render import Table
from analysis.tables.routes import Costs, Route, measured_routes

NUMBER, NAME, SOURCE = 2, "Quality, cost and applicability of each route", "RAIM, section 4"
READS = ("ladder", "judges", "costs")
_AGGREFACT = "LLM-AggreFact"


def build(derived: Derived) -> Table:
    """Published routes, then those that the suite measured: mean balanced accuracy over three nested scopes, costs."""
    benchmarks = derived.overview["benchmarks"]
    scopes = {
        _AGGREFACT: [name for name in derived.benchmarks if benchmarks[name]["frame"] == "claimcheck"],
        "grounded": [name for name in derived.benchmarks if benchmarks[name]["tier"] != "ungrounded"],
        "suite": list(derived.benchmarks),
    }
    scopes = {title: names for title, names in scopes.items() if names}
    published, costs = read_published("routes"), Costs(derived)
    rows: list[Row] = [Heading("published")]
    rows += [_published(row, scopes) for row in published["rows"]]
    rows.append(Heading("measured on this suite"))
    rows += [_measured(route, scopes) for route in measured_routes(derived, costs)]
    return Table(
        f"Table {NUMBER}",
        "Quality, cost and applicability of each route. Balanced accuracy: mean over nested groups of benchmarks.",
        (
            "route",
            "source",
            "size",
            *(f"{title} ({len(names)})" for title, names in scopes.items()),
            "per 1,000 items",
            "one-time",
            "open",
            "ungrounded",
        ),
        rows,
        derived.stamp,
        groups=(("", 3), ("balanced accuracy, %", len(scopes)), ("cost, USD", 2), ("scope", 2)),
        footnotes=(
            f"Published rows: {published['source']}; their benchmarks are WiCE, XSum, CNN and ExpertQA.",
            "An abstention is an error in the panel's rows and dropped in those of single judges, as published.",
            costs.note,
        ),
    )


def _published(row: Mapping[str, Any], scopes: Mapping[str, Sequence[str]]) -> list[Cell]:
    means = [
        Number(row["aggrefact"], 1) if title == _AGGREFACT else Number(None, reason="not published")
        for title in scopes
    ]
    cost = Number(row["usd"], 3 if row["usd"] < 1 else 2)
    return [
        row["route"],
        row["source"],
        row["size"],
        *means,
        cost,
        row["one_time"],
        row["open"],
        row["ungrounded"],
    ]


def _measured(route: Route, scopes: Mapping[str, Sequence[str]]) -> list[Cell]:
    covered = set(scopes["suite"]) <= set(route.balanced_accuracy)
    means = [_mean(route.balanced_accuracy, names) for names in scopes.values()]
    access = "yes" if route.open else "no"
    return [
        route.name,
        "",
        route.size,
        *means,
        route.cost,
        route.one_time,
        access,
        "yes" if covered else "no",
    ]


def _mean(scores: Mapping[str, float | None], names: Sequence[str]) -> Number:
    if not set(names) <= set(scores):
        return Number(None, reason="cannot be run on all of these benchmarks, or was not")
    values = [scores[name] for name in names]
    if None in values:
        return Number(None, reason="undefined on one of these benchmarks")
    return Number(sum(value for value in values if value is not None) / len(values), 1, 100.0)
