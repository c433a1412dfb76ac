"""Regenerate and compare: a regenerated derived tier against the committed one.

Floats may deviate by ``|a - b| / max(1, |a|, |b|) <= 1e-8``: NaN equals NaN and an infinity fails. Counts, labels,
truth values, nulls, names of entries, lengths of lists and the set of files are exact; JSON tells a count from a float,
and a count that has become a float must still equal it. The order of an object's entries is free.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from raim.errors import InputError

TOLERANCE = 1e-8
_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_NUMBER = re.compile(
    r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?(?:nan|inf|infinity)", re.ASCII | re.IGNORECASE
)


@dataclass(frozen=True)
class Difference:
    """One entry that differs: the file, the entry's path in it, and what is wrong."""

    file: str
    place: str
    problem: str

    def __str__(self) -> str:
        """Read as ``file: place: problem``."""
        return ": ".join(part for part in (self.file, self.place, self.problem) if part)


@dataclass
class Comparison:
    """What was compared, and what differs.

    Attributes
    ----------
    files : files present on both sides
    floats, exact : values held to the tolerance, values compared exactly
    largest : largest deviation met among the floats within tolerance
    differences : in the order of files and entries
    """

    files: int = 0
    floats: int = 0
    exact: int = 0
    largest: float = 0.0
    differences: list[Difference] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    def report(self, limit: int = 20) -> str:
        """Summary with the first ``limit`` differences, for a person to read."""
        counts = f"{self.files} files, {self.floats} floats and {self.exact} exact values compared"
        if self.passed:
            return f"PASS: {counts}; largest deviation {self.largest:.1e}\n"
        lines = [f"FAIL: {len(self.differences)} differences; {counts}"]
        lines += [f"  {difference}" for difference in self.differences[:limit]]
        if len(self.differences) > limit:
            lines.append(f"  ... and {len(self.differences) - limit} more")
        return "\n".join(lines) + "\n"


def compare_folders(
    regenerated: Path, committed: Path, tolerance: float = TOLERANCE, *, parts: Sequence[str] | None = None
) -> Comparison:
    """Compare all JSON and CSV files of two folders, and any other file byte by byte.

    ``parts`` names the sub-folders that are compared; None compares everything.

    Raises
    ------
    InputError
        If a folder is missing or the committed one is empty, or a file cannot be read.
    """
    names = [_names(folder, parts) for folder in (regenerated, committed)]
    if not names[1]:
        raise InputError(f"{committed}: holds no derived file to compare with; restore it (`git checkout`)")
    result = Comparison()
    for name in sorted(names[0] | names[1]):
        if name not in names[0]:
            result.differences.append(Difference(name, "", "the file was not regenerated"))
        elif name not in names[1]:
            result.differences.append(Difference(name, "", "the file is not among the committed ones"))
        else:
            result.files += 1
            _compare_files(result, name, regenerated / name, committed / name, tolerance)
    return result


def deviation(a: float, b: float) -> float:
    """``|a - b| / max(1, |a|, |b|)``; 0 for two NaNs, infinite if one is NaN or either is infinite."""
    if math.isnan(a) and math.isnan(b):
        return 0.0
    if not (math.isfinite(a) and math.isfinite(b)):
        return math.inf
    return abs(a - b) / max(1.0, abs(a), abs(b))


def _names(folder: Path, parts: Sequence[str] | None) -> set[str]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; run the workflow first (`snakemake --cores all`)")
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    shown = (path for path in files if not any(part.startswith(".") for part in path.parts))
    return {path.as_posix() for path in shown if parts is None or path.parts[0] in parts}


def _compare_files(
    result: Comparison, name: str, regenerated: Path, committed: Path, tolerance: float
) -> None:
    if name.endswith(".json"):
        pairs = _json_pairs(_read_json(regenerated), _read_json(committed), "")
    elif name.endswith(".csv"):
        pairs = _csv_pairs(_read_csv(regenerated), _read_csv(committed))
    else:
        pairs = iter([("", regenerated.read_bytes(), committed.read_bytes())])
    for place, a, b in pairs:
        problem = _problem(result, a, b, tolerance)
        if problem:
            result.differences.append(Difference(name, place, problem))


class _Absent:
    """Stands for an entry that one side lacks."""


_ABSENT = _Absent()


def _problem(result: Comparison, a: Any, b: Any, tolerance: float) -> str:
    """What is wrong between a regenerated value and a committed one; empty if nothing is."""
    if a is _ABSENT:
        return f"missing, committed as {_short(b)}"
    if b is _ABSENT:
        return f"extra, regenerated as {_short(a)}"
    if isinstance(a, float) and isinstance(b, float):
        result.floats += 1
        size = deviation(a, b)
        if size <= tolerance:
            result.largest = max(result.largest, size)
            return ""
        return f"{a!r}, committed as {b!r} (deviation {size:.1e})"
    result.exact += 1
    alike = type(a) is type(b) or (_is_number(a) and _is_number(b))
    return "" if alike and a == b else f"{_short(a)}, committed as {_short(b)}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _short(value: Any) -> str:
    text = f"{len(value)} bytes" if isinstance(value, bytes) else json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _json_pairs(a: Any, b: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(key for key in b if key not in a)]:
            inner = f"{place}.{key}" if place else key
            yield from _json_pairs(a.get(key, _ABSENT), b.get(key, _ABSENT), inner)
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            yield f"{place} (length)", len(a), len(b)
        for number, (left, right) in enumerate(zip(a, b, strict=False)):
            yield from _json_pairs(left, right, f"{place}[{number}]")
    else:
        yield place, a, b


def _csv_pairs(a: Sequence[Sequence[str]], b: Sequence[Sequence[str]]) -> Iterator[tuple[str, Any, Any]]:
    if len(a) != len(b):
        yield "number of lines", len(a), len(b)
    header = b[0] if b else []
    for number, (left, right) in enumerate(zip(a, b, strict=False), start=1):
        if len(left) != len(right):
            yield f"line {number}, number of fields", len(left), len(right)
        for position, (x, y) in enumerate(zip(left, right, strict=False)):
            column = header[position] if number > 1 and position < len(header) else f"field {position + 1}"
            yield f"line {number}, {column}", *_csv_values(x, y)


def _csv_values(x: str, y: str) -> tuple[Any, Any]:
    """Two cells as floats where both are numbers and one is not an integer; otherwise as the text they are."""
    if (
        _NUMBER.fullmatch(x)
        and _NUMBER.fullmatch(y)
        and not (_INTEGER.fullmatch(x) and _INTEGER.fullmatch(y))
    ):
        return float(x), float(y)
    return x, y


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_unique_keys)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as JSON ({error}); restore or regenerate it") from error


def _unique_keys(pairs: Sequence[tuple[str, Any]]) -> Mapping[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("an entry occurs twice in one object")
    return result


def _read_csv(path: Path) -> list[list[str]]:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            return list(csv.reader(stream, strict=True))
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as CSV ({error}); restore or regenerate it") from error
