"""A panel's plan as plain values and as a page of text, with its costs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from analysis.estimators.costs import break_even, read_rates
from analysis.simulation.panel import PanelModel
from analysis.simulation.planning import CALL_SURE, NEAR, PanelPlan
from analysis.terminal import table
from raim.safe_text import printable

#: Shape of the result; raised when a key changes its meaning.
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Prices:
    """USD of 1,000 items on the panel and on the priced model, and of one label."""

    panel: float
    api: float
    label: float


@dataclass(frozen=True)
class Source:
    """Where a population comes from, in words; for a pilot, the share of its resamples with its own call."""

    words: str
    certainty: float | None = None


def default_prices(n_members: int) -> Prices:
    """The paper's rates: its mean member times the members, its first priced model, its label."""
    rates = read_rates()
    api = rates.api(next(iter(rates.api_usd_per_million)))
    if api is None:
        raise ValueError("the package's rates price no model")
    return Prices(rates.sequence(rates.panel) / len(rates.panel) * n_members, api, rates.usd_per_label)


def as_json(
    plan: PanelPlan,
    model: PanelModel,
    prices: Prices,
    source: Source,
    n_replicates: int,
    seed: int,
) -> dict[str, Any]:
    """Everything the plan says, undefined values as None with a reason."""
    return {
        "schema_version": SCHEMA_VERSION,
        "source": source.words,
        "pilot_certainty": source.certainty,
        "n_replicates": n_replicates,
        "seed": seed,
        "population": {
            "kappas": dict(zip(model.members, map(float, plan.kappas), strict=True)),
            "prevalence": model.prevalence,
            "items_per_record": model.items_per_record,
            "dependence_within_records": model.dependence,
            "competent": plan.competent,
            "admissible": plan.admissible,
            "phi_bar": plan.phi_bar,
            "unweighted": plan.unweighted,
            "stacked": plan.reference,
        },
        "points": [_point(asdict(point), prices) for point in plan.points],
        "answers": {
            "call_from": plan.call_from,
            "call_share": CALL_SURE,
            "useful_from": plan.useful_from,
            "stable_from": plan.stable_from,
            "stable_share": NEAR,
        },
        "usd": asdict(prices),
    }


def _value(key: str, value: float, reason: str) -> dict[str, Any]:
    return {key: None, "reason": reason} if math.isnan(value) else {key: value}


def _point(point: dict[str, Any], prices: Prices) -> dict[str, Any]:
    outlay = point["labels"] * prices.label
    error = point.pop("phi_error")
    volume = break_even(outlay, prices.api, prices.panel)
    return {
        **point,
        **_value("phi_error", error, "no sample shows an error correlation"),
        "outlay": outlay,
        "break_even_items": volume,
        **({} if volume is not None else {"break_even_reason": "the panel's inference is not cheaper"}),
    }


def render(result: Mapping[str, Any]) -> str:
    """The population, the curve, the answers and the costs."""
    population, answers, usd = result["population"], result["answers"], result["usd"]
    phi = population["phi_bar"]
    members, certainty = len(population["kappas"]), result["pilot_certainty"]
    rows = [
        (
            "records",
            "labels",
            "same call",
            "same leader",
            "phi-bar off",
            "stacked",
            "5% to 95%",
            "best single",
            "USD",
            "repaid after",
        ),
        *(
            (
                f"{point['records']:,}",
                f"{point['labels']:,.0f}",
                f"{point['same_call']:.2f}",
                f"{point['same_leader']:.2f}",
                "-" if point["phi_error"] is None else f"{point['phi_error']:.3f}",
                f"{point['stacked']:.3f}",
                f"[{point['stacked_low']:.3f}, {point['stacked_high']:.3f}]",
                f"{point['best_single']:.3f}",
                f"{point['outlay']:,.0f}",
                "never" if point["break_even_items"] is None else f"{point['break_even_items']:,.0f}",
            )
            for point in result["points"]
        ),
    ]
    call = "admissible" if population["admissible"] else "not admissible"
    lines = [
        f"SIMULATED from {printable(result['source'])}",
        f"{members} members, {population['competent']} competent; mean error correlation {phi:.3f}: {call}.",
        f"Kappa: unweighted majority {population['unweighted']:.3f}, fully supervised {population['stacked']:.3f}.",
        *(
            []
            if certainty is None
            else [f"The pilot's own resamples give its call in {certainty:.0%} of draws."]
        ),
        "",
        table(rows),
        "",
        f"Call as in the population in {answers['call_share']:.0%} of samples: {_answer(answers['call_from'])}.",
        f"Stacker above the unweighted majority on average: {_answer(answers['useful_from'])}.",
        f"Stacker within {1 - answers['stable_share']:.0%} of its kappa: {_answer(answers['stable_from'])}.",
        f"USD: 1,000 items {usd['panel']:.4f} (panel), {usd['api']:.4f} (priced model); a label {usd['label']:.2f}.",
    ]
    return "\n".join(lines) + "\n"


def _answer(records: int | None) -> str:
    return "at none of these budgets" if records is None else f"from {records:,} records on"
