"""Rows of a local file, and the checks that every builder needs of them."""

from __future__ import annotations

import csv
import gzip
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.benchmarks.spec import Row
from verdicts.records.plain import parse


def read_rows(path: Path) -> list[Row]:
    """Rows of a ``.csv``, ``.json``, ``.jsonl``, ``.jsonl.gz`` or ``.parquet`` file, in its order.

    A ``.json`` file is a list of rows, or an object that lists them under ``instances``.

    Raises InputError on a missing, unreadable or malformed file.
    """
    for suffix, reader in _READERS.items():
        if path.name.endswith(suffix):
            try:
                return reader(path)
            except (OSError, EOFError, UnicodeDecodeError, csv.Error) as error:
                raise InputError(
                    f"{path}: cannot read the source file ({error}); give the path of a file as its "
                    "publisher ships it"
                ) from error
    raise InputError(f"{path}: unknown kind of file; a source file ends in {', '.join(_READERS)}")


def is_readable(path: Path) -> bool:
    """Whether :func:`read_rows` reads this kind of file."""
    return path.name.endswith(tuple(_READERS))


def require_columns(rows: Sequence[Row], columns: Sequence[str]) -> None:
    """Raises InputError that names the columns that a source lacks, or says that it is empty."""
    if not rows:
        raise InputError("holds no rows; give the publisher's complete file")
    for number, row in enumerate(rows):
        lacking = [column for column in columns if column not in row]
        if lacking:
            raise InputError(
                f"row {number}: lacks the columns {', '.join(map(repr, lacking))} (it has "
                f"{', '.join(map(repr, row)) or 'none'}); give the source that the benchmark names"
            )


def adapted(adapt: Callable[[Row], Row], rows: Sequence[Row]) -> list[Row]:
    """Every row brought into a builder's shape. Raises InputError naming the row that cannot be."""
    found: list[Row] = []
    for number, row in enumerate(rows):
        try:
            found.append(adapt(row))
        except InputError as error:
            raise InputError(f"row {number}: {error}") from error
    return found


def text(row: Row, column: str, number: int) -> str:
    """A column that must hold text. Raises InputError naming the row where it does not."""
    value = row[column]
    if not isinstance(value, str):
        raise InputError(f"row {number}: column {column!r} holds {type(value).__name__}, not text")
    return value


def texts(row: Row, column: str, number: int) -> list[str]:
    """A column that must hold a list of texts. Raises InputError naming the row where it does not."""
    value = row[column]
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise InputError(f"row {number}: column {column!r} holds {type(value).__name__}, not a list of texts")
    return value


def _csv(path: Path) -> list[Row]:
    # utf-8-sig: the upstream TruthfulQA file starts with a byte order mark.
    with path.open(newline="", encoding="utf-8-sig") as handle:
        reader = csv.DictReader(handle, strict=True)
        rows: list[Row] = []
        # A document may be longer than the module's limit, which is the process's.
        limit = csv.field_size_limit(sys.maxsize)
        try:
            for row in reader:
                if None in row or None in row.values():
                    raise InputError(f"{path}, line {reader.line_num}: not as many fields as the header has")
                rows.append(row)
        finally:
            csv.field_size_limit(limit)
        return rows


def _json(path: Path) -> list[Row]:
    try:
        value: Any = parse(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); get the file again") from error
    rows: Any = value.get("instances") if isinstance(value, dict) else value
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path}: not a list of JSON objects; give the file as its publisher ships it")
    return rows


def _jsonl(path: Path) -> list[Row]:
    return _json_lines(path, path.read_bytes())


def _jsonl_gz(path: Path) -> list[Row]:
    return _json_lines(path, gzip.decompress(path.read_bytes()))


def _json_lines(path: Path, data: bytes) -> list[Row]:
    rows: list[Row] = []
    # Not splitlines(): the texts hold Unicode line separators.
    for number, line in enumerate(data.decode("utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row: Any = parse(line)
        except ValueError as error:
            raise InputError(f"{path}, line {number}: not JSON ({error}); get the file again") from error
        if not isinstance(row, dict):
            raise InputError(f"{path}, line {number}: not a JSON object; get the file again")
        rows.append(row)
    return rows


def _parquet(path: Path) -> list[Row]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise InputError(
            f"{path}: reading Parquet needs pyarrow; install it (`pip install pyarrow`)"
        ) from error
    try:
        rows: list[Row] = parquet.read_table(path).to_pylist()
    except ArrowException as error:
        raise InputError(f"{path}: not a Parquet file ({error}); get the file again") from error
    return rows


_READERS: dict[str, Callable[[Path], list[Row]]] = {
    ".csv": _csv,
    ".json": _json,
    ".jsonl": _jsonl,
    ".jsonl.gz": _jsonl_gz,
    ".parquet": _parquet,
}
