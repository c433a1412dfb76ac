"""Table 6: the regime call from a limited labelling budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.pipeline.derived import Derived
from analysis.tables.cells import UNDEFINED, Cell, Number
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 6, "Recovery of the regime call from a limited labelling budget", "RAIM, appendix C"
READS = ("regime", "regime_budget", "regime_plane")
_CALLS = {True: "admissible", False: "not admissible"}
_BEYOND = "the budget exceeds the benchmark's records"


def build(derived: Derived) -> Table:
    """Full-sample coordinates and call, and how often a sample of each size gives that call."""
    samples, skipped = derived.read_each("regime_budget")
    plane = derived.read_suite("regime_plane")
    budgets = list(plane["budgets"])
    titles = {name: entry["title"] for name, entry in derived.overview["benchmarks"].items()}
    rows: list[list[Cell]] = []
    for name, entry in samples.items():
        full = derived.read(name, "regime")
        rows.append(
            [
                titles[name],
                full["n_items"],
                Number(full["phi_bar"]),
                f"{full['competent']}/{len(full['members'])}",
                _CALLS[full["admissible"]],
                *(_share(entry["budgets"].get(budget)) for budget in budgets),
            ]
        )
    thresholds = plane["thresholds"]
    rule = (
        f"spread: members at κ ≥ {thresholds['kappa']:.2f}. regime: admissible where that is at least "
        f"{thresholds['share']:.0%} of the panel and φ̄ ≤ {thresholds['phi']:.2f}."
    )
    first = next(iter(samples.values()))
    return Table(
        f"Table {NUMBER}",
        f"{NAME}: {first['n_samples']} calibration samples a budget, of so many labelled records, drawn as whole "
        "clusters; both coordinates are re-estimated on each.",
        ("benchmark", "n", "φ̄", "spread", "regime", *budgets),
        rows,
        derived.stamp,
        groups=(("", 1), ("full sample", 4), ("Pr(call matches) at a budget of", len(budgets))),
        foot=[
            ["suite: mean Pr(call)", *[""] * 4, *_suite(plane, "same_call_mean", 2)],
            ["suite: Pr(same leader)", *[""] * 4, *_suite(plane, "same_leader_mean", 2)],
            ["suite: median |Δφ̄|", *[""] * 4, *_suite(plane, "phi_bar_error_median", 3)],
        ],
        footnotes=(
            rule,
            "suite: over the benchmarks that have so many records.",
            *(f"{titles[name]} is left out: {reason}." for name, reason in skipped.items()),
        ),
    )


def _share(entry: Mapping[str, Any] | None) -> Number:
    return Number(None, reason=_BEYOND) if entry is None else Number(entry["same_call"], 2)


def _suite(plane: Mapping[str, Any], key: str, decimals: int) -> list[str]:
    values = [entry[key] for entry in plane["budgets"].values()]
    return [UNDEFINED if value is None else f"{value:.{decimals}f}" for value in values]
