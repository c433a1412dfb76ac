"""Table 2: quality, cost and applicability of each route."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analysis.pipeline.derived import Derived
from analysis.published import read_published
from analysis.tables.cells import Cell, Heading, Number, Row
from analysis.tables.render import Table
from analysis.tables.routes import Costs, Route, measured_routes

NUMBER, NAME, SOURCE = 2, "Quality, cost and applicability of each route", "RAIM, section 4"
READS = ("routes", "costs")
_TITLES = {"aggrefact": "LLM-AggreFact", "grounded": "grounded", "suite": "suite"}


def build(derived: Derived) -> Table:
    """Published routes, then those that the suite measured: mean balanced accuracy over three nested scopes, costs."""
    scopes = {scope: len(names) for scope, names in derived.read_suite("routes")["scopes"].items()}
    board, costs = read_published("leaderboard"), Costs(derived)
    systems = {row["system"]: row for row in board["rows"]}
    rows: list[Row] = [Heading("published")]
    rows += [_published(row, systems[row["system"]], scopes) for row in read_published("routes")["rows"]]
    rows.append(Heading("measured on this suite"))
    rows += [_measured(route, scopes) for route in measured_routes(derived, costs)]
    return Table(
        f"Table {NUMBER}",
        "Quality, cost and applicability of each route. Balanced accuracy: mean over nested groups of benchmarks.",
        (
            "route",
            "source",
            "size",
            *(f"{_TITLES[scope]} ({size})" for scope, size in scopes.items()),
            "per 1,000 items",
            "one-time",
            "open",
            "ungrounded",
        ),
        rows,
        derived.stamp,
        groups=(("", 3), ("balanced accuracy, %", len(scopes)), ("cost, USD", 2), ("scope", 2)),
        footnotes=(
            f"Published rows: {board['source']}; their benchmarks are WiCE, XSum, CNN and ExpertQA.",
            "An abstention is an error in the panel's rows and dropped in those of single judges, as published.",
            *costs.notes(),
        ),
    )


def _published(row: Mapping[str, Any], system: Mapping[str, Any], scopes: Iterable[str]) -> list[Cell]:
    means = [
        Number(system["mean"], 1) if scope == "aggrefact" else Number(None, reason="not published")
        for scope in scopes
    ]
    cost = Number(row["usd"], 3 if row["usd"] < 1 else 2)
    about = (row["route"], system["source"], system["size"])
    return [*about, *means, cost, row["one_time"], row["open"], row["ungrounded"]]


def _measured(route: Route, scopes: Iterable[str]) -> list[Cell]:
    means = [
        Number(route.means[scope]["mean"], 1, 100.0, reason=route.means[scope].get("reason", ""))
        for scope in scopes
    ]
    access = "yes" if route.open else "no"
    everywhere = "no" if route.means["suite"]["mean"] is None else "yes"
    return [route.name, "", route.size, *means, route.cost, route.one_time, access, everywhere]
