"""Rows of a user's CSV file: UTF-8 with or without a byte order mark, any line ends, quoted fields, one header."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from raim.errors import InputError
from raim.safe_text import csv_read


def header_and_rows(
    content: bytes, name: str, delimiter: str
) -> tuple[list[str], Iterator[tuple[str, list[str]]]]:
    """The header, and each row that is not empty with where it stands; ``name`` is what messages call the file.

    Blanks around the header's names are dropped. Raises InputError where the content is no such file, or a row is not
    as long as the header.
    """
    rows = _nonempty(content, name, delimiter)
    first = next(rows, None)
    if first is None:
        raise InputError(f"{name}: the file is empty")
    header = [csv_read(field.strip()) for field in first[1]]
    return header, _as_long_as(header, rows)


def _nonempty(content: bytes, name: str, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    reader = csv.reader(io.StringIO(_text(content, name), newline=""), delimiter=delimiter, strict=True)
    # The line in which a row begins: a quote that is never closed swallows the rest of the file.
    begins = 1
    try:
        for row in reader:
            if any(field.strip() for field in row[:1]) or len(row) > 1:
                yield f"{name}, line {begins}", row
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{name}, line {begins}: not a CSV row: {error}") from None


def _as_long_as(
    header: Sequence[str], rows: Iterator[tuple[str, list[str]]]
) -> Iterator[tuple[str, list[str]]]:
    for where, row in rows:
        if len(row) != len(header):
            raise InputError(f"{where}: {len(row)} fields where the header has {len(header)}")
        yield where, row


def delimiter_hint(header: Sequence[str], delimiter: str) -> str:
    """A header in one piece was cut at the wrong character."""
    other = [mark for mark in (";", "\t", ",", "|") if mark != delimiter and mark in header[0]]
    return f"; is it separated by {other[0]!r}? Then pass --delimiter" if len(header) == 1 and other else ""


def delimiter_of(option: str) -> str:
    """The character that ``--delimiter`` names, a tab if it is written out. Raises InputError on anything else."""
    delimiter = "\t" if option == "\\t" else option
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise InputError(f"--delimiter {option!r}: give one character, such as ';' or '\\t'")
    return delimiter


def read_bytes(path: Path) -> bytes:
    """The file's bytes; raises InputError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


def _text(content: bytes, name: str) -> str:
    if not content.strip():
        raise InputError(f"{name}: the file is empty")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}: not UTF-8 text (byte {error.start}, line {line}); save it as UTF-8"
        ) from None
    if "\0" in text:
        raise InputError(f"{name}: holds NUL characters: not a text file, or one in UTF-16; save it as UTF-8")
    return text
