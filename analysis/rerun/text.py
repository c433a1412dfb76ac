"""The comparison of a suite with its re-run as a page for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.rerun.records import ABSENT
from analysis.terminal import table
from raim.safe_text import printable

_VERDICTS = (
    *("benchmark", "judge", "agreement", "on items", "same reply", "max dp"),
    *("kappa", "re-run", "coverage", "re-run", ""),
)
_SCORES = (
    *("dataset", "judge", "same label", "on items", "max dp", "mean shift"),
    *("Spearman", "re-run", "coverage", "re-run", ""),
)
_LARGEST = "largest_probability_difference"


def render(result: Mapping[str, Any]) -> str:
    """One line a judge and benchmark, the panels' verdicts, the median agreement of each protocol, the two engines.

    ``same reply`` is the share of replies that are equal to the letter, ``max dp`` the largest difference between two
    probabilities of one label on one item. Of scores, ``same label`` is the share of items with one most probable label
    in both runs and ``mean shift`` the mean absolute difference of the expected scores on [0, 1].
    """
    tables = [
        table([header, *_rows(entries, *columns)], left=2)
        for entries, header, columns in (
            (result["benchmarks"], _VERDICTS, ("identical_replies", _LARGEST, "kappas")),
            (result["scores"], _SCORES, (_LARGEST, "mean_shift", "spearmans")),
        )
        if entries
    ]
    lines = [
        *_members({**result["benchmarks"], **result["scores"]}),
        *_readings(result["benchmarks"]),
        *_one_sided(result),
    ]
    for what, medians in (
        ("agreement", result["median_agreement"]),
        ("agreement of scores", result["median_agreement_of_scores"]),
    ):
        lines += [
            f"median {what}, {protocol}: {values['median']:.3f} over {values['cells']} judges and benchmarks"
            for protocol, values in medians.items()
        ]
    for suite, ran in zip(("first", "re-run"), result["ran"], strict=True):
        lines += [f"{suite}: {run}" for run in ran]
    return "\n".join([*(f"{shown}\n" for shown in tables), *map(printable, lines), ""])


def _rows(entries: Mapping[str, Any], *columns: str) -> Iterator[Sequence[str]]:
    """A row a judge and benchmark: its agreement, the columns, and what each of the two runs has of the last ones."""
    for name, entry in entries.items():
        for judge, values in entry["judges"].items():
            yield (
                name,
                judge,
                _plain(values["agreement"]),
                f"{values['n_both']}/{entry['n_items']}",
                *(_plain(values[column]) for column in columns[:-1]),
                *map(_plain, values[columns[-1]]),
                *map(_plain, values["coverages"]),
                "flagged" if values.get("flagged") else "",
            )


def _members(entries: Mapping[str, Any]) -> list[str]:
    """What judges are called in the re-run, and what they were asked otherwise."""
    lines = _renamed(entries)
    for name, entry in entries.items():
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
    return lines


def _readings(benchmarks: Mapping[str, Any]) -> list[str]:
    lines = []
    for name, entry in benchmarks.items():
        if entry["verdicts"]:
            first, second = (verdict or "undefined" for verdict in entry["verdicts"])
            lines.append(
                f"{name}: verdict {first}" + (f", re-run {second}" if first != second else " in both")
            )
    return lines


def _one_sided(result: Mapping[str, Any]) -> list[str]:
    """What either suite has and the other lacks."""
    lines = []
    sides = [f"the first ({result['suites'][0]})", f"the re-run ({result['suites'][1]})"]
    for name, entry in {**result["benchmarks"], **result["scores"]}.items():
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
    return lines


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
