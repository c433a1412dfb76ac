"""The comparison of a suite with its re-run as a page for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.rerun import ABSENT
from analysis.terminal import table
from raim.safe_text import printable


def render(result: Mapping[str, Any]) -> str:
    """One line a judge and benchmark, the panels' verdicts, the median agreement of each protocol, the two engines.

    ``same reply`` is the share of replies that are equal to the letter, ``max dp`` the largest difference between two
    probabilities of one label on one item.
    """
    rows: list[Sequence[str]] = [
        (
            "benchmark",
            "judge",
            "agreement",
            "on items",
            "same reply",
            "max dp",
            "kappa",
            "re-run",
            "coverage",
            "re-run",
            "",
        )
    ]
    for name, entry in result["benchmarks"].items():
        for judge, values in entry["judges"].items():
            rows.append(
                (
                    name,
                    judge,
                    _plain(values["agreement"]),
                    f"{values['n_both']}/{entry['n_items']}",
                    _plain(values["identical_replies"]),
                    _plain(values["largest_probability_difference"]),
                    *map(_plain, values["kappas"]),
                    *map(_plain, values["coverages"]),
                    "flagged" if values["flagged"] else "",
                )
            )
    sides = [f"the first ({result['suites'][0]})", f"the re-run ({result['suites'][1]})"]
    lines = _renamed(result["benchmarks"])
    for name, entry in result["benchmarks"].items():
        lines += [
            f"{name}, {judge}: asked otherwise in the re-run ({', '.join(values['asked_otherwise'])})"
            for judge, values in entry["judges"].items()
            if values["asked_otherwise"]
        ]
        imported = sum(values["asked_otherwise"] is None for values in entry["judges"].values())
        if imported:
            lines.append(
                f"{name}: of {imported} judges one run's votes were imported, which records no settings"
            )
    for name, entry in result["benchmarks"].items():
        if entry["verdicts"]:
            first, second = (verdict or "undefined" for verdict in entry["verdicts"])
            lines.append(
                f"{name}: verdict {first}" + (f", re-run {second}" if first != second else " in both")
            )
        for side, names in zip(sides, entry["not_compared"], strict=True):
            lines += [
                f"{name}: in {side} only: {judge} (in the other: {reason})"
                for judge, reason in names.items()
                if reason != ABSENT
            ]
    for side, names, members in zip(
        sides, result["only_in"]["benchmarks"], result["only_in"]["members"], strict=True
    ):
        if names:
            lines.append(f"benchmarks in {side} only: {', '.join(names)}")
        lines += [f"in {side} only: {judge} ({words})" for judge, words in members.items()]
    lines += [
        f"median agreement, {protocol}: {values['median']:.3f} over {values['cells']} judges and benchmarks"
        for protocol, values in result["median_agreement"].items()
    ]
    for suite, ran in zip(("first", "re-run"), result["ran"], strict=True):
        lines += [f"{suite}: {run}" for run in ran]
    return "\n".join([table(rows, left=2), "", *map(printable, lines), ""])


def _renamed(benchmarks: Mapping[str, Any]) -> list[str]:
    names = {
        judge: values["rerun"]
        for entry in benchmarks.values()
        for judge, values in entry["judges"].items()
        if judge != values["rerun"]
    }
    return [f"{judge} is {other} in the re-run" for judge, other in names.items()]


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
