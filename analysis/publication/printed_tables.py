"""The tables of the paper, digit by digit as printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from analysis.publication.entries import Entry
from analysis.publication.keys import Absent, Place, Source

FOLDER = Path(__file__).parent / "printed"
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_ENDS = ("resample_mean", "low", "high")


def compare_tables(source: Source) -> list[Entry]:
    """Every printed number of every table that is shipped as data, beside the suite's own."""
    return [entry for path in sorted(FOLDER.glob("table*.yaml")) for entry in _table(path, source)]


def as_printed(value: float, printed: str) -> str:
    """A value with as many decimals as a printed one, and a sign where that has one."""
    sign = "+" if printed[0] in "+-" else ""
    return f"{value:{sign}.{len(printed.partition('.')[2])}f}"


def _table(path: Path, source: Source) -> Iterator[Entry]:
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    group = values["source"].removeprefix("RAIM, ")
    for block in values["blocks"]:
        for row, cells in block["values"].items():
            for (column, spec), cell in zip(block["columns"].items(), cells, strict=True):
                if cell is not None:
                    yield from _cell(group, row, column, spec, cell, source)


def _cell(
    group: str, row: str, column: str, spec: Mapping[str, Any], cell: str, source: Source
) -> Iterator[Entry]:
    benchmark = None if spec["step"] in source.suite_steps else row
    place = Place(spec["step"], benchmark, spec["key"].format(row=row))
    if spec.get("interval"):
        names = ("", ", low", ", high")
        numbers = [
            (f"{column}{name}", place.inside(end), text)
            for name, end, text in zip(names, _ENDS, _NUMBER.findall(cell), strict=True)
        ]
    else:
        numbers = [(column, place, cell)]
    for name, where, printed in numbers:
        ours, distance, absent = None, None, ""
        try:
            value = source.number(where) * spec.get("scale", 1.0)
            ours, distance = as_printed(value, printed), value - float(printed)
        except Absent as reason:
            absent = str(reason)
        solver = bool(spec.get("solver"))
        yield Entry(group, row, name, where, printed, ours, distance, absent, solver, ours == printed)
