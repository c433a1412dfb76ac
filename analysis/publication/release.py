"""The release's derived tier at full precision."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml

from analysis.pipeline.check import deviation
from analysis.publication.entries import TOLERANCE, Entry
from analysis.publication.keys import Absent, Place, Source
from raim.errors import InputError

RULES = Path(__file__).parent / "release.yaml"
_ENDS = ("resample_mean", "low", "high")
_PART = re.compile(r"\[[^]]*\]|<[^>]*>|[^/]+")
_ELEMENT = re.compile(r"\[(\w+)=(.*)\]")


def read_reference(path: Path) -> Mapping[str, Any]:
    """The release's numbers, one JSON file. Raises InputError where it cannot be read."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path}: cannot be read as JSON ({error}); give the release's derived numbers"
        ) from error
    if not isinstance(values, dict):
        raise InputError(f"{path}: holds no numbers of the release")
    return values


def compare_release(source: Source, reference: Mapping[str, Any]) -> list[Entry]:
    """Every number that the rules name and the reference holds, beside the suite's own."""
    rules = yaml.safe_load(RULES.read_text(encoding="utf-8"))
    return [entry for rule in rules["rules"] for entry in _rule(rule, rules["benchmarks"], source, reference)]


def _rule(
    rule: Mapping[str, Any], benchmarks: Mapping[str, str], source: Source, reference: Mapping[str, Any]
) -> Iterator[Entry]:
    whole = rule["step"] in source.suite_steps
    looped = "{benchmark}" in rule["theirs"]
    for benchmark, release in benchmarks.items() if looped else [("suite", "")]:
        for member, theirs, ours in _names(rule, source, reference, release):
            fields = {"benchmark": release, "theirs": theirs, "member": member}
            column = ours if "pairs_of" in rule else " ".join(filter(None, (member, theirs)))
            value = _find(reference, rule["theirs"].format(**fields))
            if value is None:
                continue
            key = rule["key"].format(benchmark=benchmark, ours=ours, member=member)
            place = Place(rule["step"], None if whole else benchmark, key)
            solver = rule.get("solver", False)
            depends = solver is True or (isinstance(solver, list) and ours in solver)
            numbers = (
                [
                    (f"{column} {end}".strip(), place.inside(end), v)
                    for end, v in zip(_ENDS, value, strict=True)
                ]
                if rule.get("triple")
                else [(column, place, value)]
            )
            for name, where, number in numbers:
                if number is not None:
                    yield _entry(rule["group"], benchmark, name, where, number, depends, source)


def _names(
    rule: Mapping[str, Any], source: Source, reference: Mapping[str, Any], release: str
) -> Iterator[tuple[str, str, str]]:
    """A judge's checkpoint, the release's name and ours; empty where the rule has none of them."""
    if "pairs_of" in rule:
        order = _find(reference, rule["pairs_of"].format(benchmark=release)) or []
        for (i, first), (j, second) in combinations(enumerate(order), 2):
            yield "", f"{i}/{j - i - 1}", f"<{first}>/<{second}>"
        return
    members = source.checkpoints if "{member}" in rule["theirs"] else ("",)
    pairs = rule.get("each", {"": ""}).items()
    for member in members:
        for theirs, ours in pairs:
            yield member, str(theirs), str(ours)


def _entry(
    group: str, row: str, column: str, place: Place, published: float, solver: bool, source: Source
) -> Entry:
    ours, distance, absent, equal = None, None, "", False
    try:
        number = source.number(place)
        ours = repr(int(number) if isinstance(published, int) and number.is_integer() else number)
        distance = number - published
        equal = deviation(number, float(published)) <= TOLERANCE
    except Absent as reason:
        absent = str(reason)
    return Entry(group, row, column, place, repr(published), ours, distance, absent, solver, equal)


def _find(value: Any, path: str) -> Any:
    """The value at a path of the reference; None where it has none."""
    for part in _PART.findall(path):
        if (element := _ELEMENT.fullmatch(part)) and isinstance(value, list):
            field, wanted = element.groups()
            value = next((entry for entry in value if str(entry.get(field)) == wanted), None)
        elif isinstance(value, Mapping):
            value = value.get(part.strip("<>"))
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value
