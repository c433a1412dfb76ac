"""Annotations from files: the field's JSON layout, a long CSV, or released records."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from analysis.alt_test.records import Reading, record_labels
from raim.errors import InputError

_RECORDS: Final = ".jsonl.gz"


def read_annotations(path: Path) -> dict[str, dict[str, Any]]:
    """``{annotator: {item: label}}`` from a ``.json`` file in that layout or a ``.csv`` with item, annotator, label.

    A CSV holds text; where every label of it is a number, labels are numbers. Raises InputError that names the file
    and the place of what is wrong: another layout, an item labelled twice by one annotator, an empty id.
    """
    if path.suffix == ".csv":
        return _from_csv(path)
    if path.suffix != ".json":
        raise InputError(f"{path}: annotations are a .json or a .csv file")
    value = _load_json(path)
    if not isinstance(value, dict) or not all(isinstance(labels, dict) for labels in value.values()):
        raise InputError(f"{path}: must hold {{annotator: {{item: label}}}}, an object of objects")
    if not value:
        raise InputError(f"{path}: holds no annotator")
    return value


def read_judges(paths: Sequence[Path], reading: Reading, index: Path | None) -> dict[str, dict[str, Any]]:
    """Judges of several files: annotations, or released records (``.jsonl.gz``), each a judge named as its file.

    Parameters
    ----------
    paths : files
    reading : how records become labels
    index : item index (``.tsv``) that gives records the items' uids; without it an item is its content hash

    Raises
    ------
    InputError
        If a file cannot be read, or two of them hold a judge of the same name.
    """
    judges: dict[str, dict[str, Any]] = {}
    for path in paths:
        if path.name.endswith(_RECORDS):
            found = {path.name.removesuffix(_RECORDS): record_labels(path, reading, index)}
        else:
            found = read_annotations(path)
        for name, labels in found.items():
            if name in judges:
                raise InputError(f"{path}: there is a judge {name!r} already; rename one of the two")
            judges[name] = labels
    return judges


def read_item_values(path: Path, column: str) -> dict[Any, Any]:
    """``{item: value}`` from a ``.json`` file in that layout or a ``.csv`` with the columns item and ``column``."""
    if path.suffix == ".csv":
        values: dict[str, str] = {}
        for place, (item, value) in _rows(path, ("item", column)):
            if item in values:
                raise InputError(f"{place}: item {item!r} occurs twice; each may once")
            values[item] = value
        return dict(zip(values, _numbers_if_all(list(values.values())), strict=True))
    if path.suffix != ".json":
        raise InputError(f"{path}: give a .json or a .csv file")
    value = _load_json(path)
    if not isinstance(value, dict) or any(isinstance(one, dict) for one in value.values()):
        raise InputError(f"{path}: must hold {{item: {column}}}, one object")
    return value


def read_embeddings(path: Path) -> dict[Any, list[float]]:
    """``{label: vector}`` from a ``.json`` file. Raises InputError on another layout."""
    value = _load_json(path)
    if not isinstance(value, dict) or not all(
        isinstance(vector, list) and all(isinstance(x, int | float) for x in vector)
        for vector in value.values()
    ):
        raise InputError(f"{path}: must hold {{label: [number, ...]}}, one object")
    return value


def parse_label(text: str) -> Any:
    """A label given on the command line: a number where it is one, else text."""
    return _numbers_if_all([text])[0]


def require_in_ids(option: str, separator: str, annotations: Mapping[str, Mapping[Any, Any]]) -> None:
    """Refuse a separator that no item's id holds: every item would be a part of its own."""
    ids = [str(item) for labels in annotations.values() for item in labels]
    if not separator or not any(separator in name for name in ids):
        example = f", such as {ids[0]!r}" if ids else ""
        raise InputError(f"{option} {separator!r} is in no item's id{example}; give what parts the ids")


def before(separator: str) -> Callable[[Any], str]:
    """What stands before the first separator of an item's id: its document."""
    return lambda item: str(item).split(separator, 1)[0]


def after(separator: str) -> Callable[[Any], str]:
    """What stands after the last separator of an item's id: its aspect."""
    return lambda item: str(item).rsplit(separator, 1)[-1]


def _from_csv(path: Path) -> dict[str, dict[str, Any]]:
    seen: dict[str, dict[str, str]] = {}
    for place, (item, annotator, label) in _rows(path, ("item", "annotator", "label")):
        labels = seen.setdefault(annotator, {})
        if item in labels:
            raise InputError(
                f"{place}: annotator {annotator!r} labelled item {item!r} twice; keep one of the rows"
            )
        labels[item] = label
    flat = _numbers_if_all([label for labels in seen.values() for label in labels.values()])
    values = iter(flat)
    return {name: {item: next(values) for item in labels} for name, labels in seen.items()}


def _rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Place (for messages) and the wanted fields of each row."""
    # utf-8-sig: spreadsheets write a byte order mark, which would become part of the first column's name.
    reader = csv.reader(io.StringIO(_read_text(path), newline=""), strict=True)
    try:
        header = next(reader, [])
        if any(header.count(column) != 1 for column in columns):
            raise InputError(
                f"{path}: needs the columns {', '.join(columns)}, each once; it has {', '.join(header)}"
            )
        positions = [header.index(column) for column in columns]
        n_rows = 0
        for row in reader:
            if not row:
                continue
            place = f"{path}, line {reader.line_num}"
            if len(row) != len(header):
                raise InputError(f"{place}: {len(row)} fields where the header has {len(header)}")
            fields = tuple(row[position] for position in positions)
            for column, field in zip(columns[:-1], fields, strict=False):
                if field == "":
                    raise InputError(f"{place}: {column} is empty")
            n_rows += 1
            yield place, fields
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not CSV ({error})") from error
    if not n_rows:
        raise InputError(f"{path}: holds no rows")


def _numbers_if_all(values: list[str]) -> list[Any]:
    """The values as numbers where all that are not empty are (finite) numbers, else as they stand."""
    numbers: list[Any] = []
    for value in values:
        if value == "":
            numbers.append(None)
            continue
        try:
            number = float(value)
        except ValueError:
            return list(values)
        if not math.isfinite(number):
            return list(values)
        numbers.append(int(number) if number.is_integer() else number)
    return numbers


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as UTF-8 text ({error})") from error


def _load_json(path: Path) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
        out = dict(pairs)
        if len(out) != len(pairs):
            repeated = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
            raise InputError(f"{path}: {repeated!r} occurs twice in one object; keep one of them")
        return out

    try:
        return json.loads(_read_text(path), object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: not JSON ({error})") from error
