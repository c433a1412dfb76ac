"""Winning rate and advantage probability of judges by aspect: Tables 5 and A1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.alt_test.tables.parts import omega, rho
from analysis.tables.cells import Cell, Number


def columns(about: Mapping[str, Any]) -> tuple[tuple[str, ...], list[tuple[str, int]]]:
    """Header and groups: all items, each aspect, and the number of aspects passed."""
    titles = ["all items", *about["aspects"].values()]
    return ("judge", *(["ω", "ρ"] * len(titles)), "passed"), [
        ("", 1),
        *((title, 2) for title in titles),
        ("", 1),
    ]


def row(title: str, name: str, report: Mapping[str, Any], about: Mapping[str, Any]) -> list[Cell]:
    """A judge's row from a report with domains."""
    cells: list[Cell] = [title, omega(report["judges"][name]), rho(report["judges"][name])]
    for aspect in about["aspects"]:
        if aspect in report["domains"]:
            judge = report["domains"][aspect]["judges"][name]
            cells += [omega(judge), rho(judge)]
        else:
            cells += [
                Number(None, reason="no item of this aspect"),
                Number(None, reason="no item of this aspect"),
            ]
    claim = report["claims"][name]
    return [*cells, f"{claim['passed']} of {claim['domains']}"]


FAMILY_NOTE = (
    "By aspect the p-values of all aspects and annotators are one family under the Benjamini–Yekutieli procedure; "
    "passed: aspects passed."
)
