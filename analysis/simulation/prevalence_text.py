"""The study over class shares as a page of text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.simulation.prevalence_study import READINGS
from analysis.terminal import table
from raim.safe_text import printable


def render(result: Mapping[str, Any]) -> str:
    """Both tables: labelled records of a share, and a panel calibrated on even classes."""
    same: list[tuple[str, ...]] = [
        ("hallucinated", *(f"{name} {metric}" for metric in ("kappa", "bacc") for name in _SHORT.values()))
    ]
    moved: list[tuple[str, ...]] = [("hallucinated", "plain kappa", "at prior", "plain accuracy", "at prior")]
    for entry in result["prevalences"]:
        readings = [entry["same"][name] for name in READINGS]
        both = [entry["from_even"][name] for name in ("plain", "deployment")]
        share = f"{entry['prevalence']:.2f}"
        same.append(
            (
                share,
                *map(_three, (r["kappa"] for r in readings)),
                *(_three(r["balanced_accuracy"]) for r in readings),
            )
        )
        moved.append((share, *(_three(r["kappa"]) for r in both), *(_three(r["accuracy"]) for r in both)))
    return (
        f"SIMULATED from {printable(result['source'])}; {result['n_records']} labelled records, means of "
        f"{result['n_replicates']} samples.\n\nLabelled and used at the same share, out of fold:\n{table(same)}\n\n"
        f"Labelled on even classes, used at another share:\n{table(moved)}\n"
    )


#: Column heads.
_SHORT = dict(zip(READINGS, ("plain", "weighted", "shifted", "balanced"), strict=True))


def _three(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
