"""Released record files: the projection that a suite ships, one file a member and benchmark.

A gzipped text: a header line with the condition and the runs, then one line a record, sorted by key, without raw
replies (they can quote a source). Same records, same bytes.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.records.canonical import canonical
from verdicts.records.lines import TornLine, decode, encode
from verdicts.records.plain import made, parse
from verdicts.records.schema import SCHEMA_VERSION, Condition, Record, Run, Verdict, schema_of

_REMEDY = "restore it from the release (`git checkout`), or export it again from the store"


@dataclass(frozen=True)
class RecordFile:
    """Records of one condition, by item content hash, with the runs that made them."""

    condition: Condition
    runs: tuple[Run, ...]
    records: Mapping[str, Record]


def write_record_file(
    path: Path, condition: Condition, records: Iterable[Record], runs: Iterable[Run]
) -> None:
    """Write the projection of the records atomically: replies and times are dropped, rows sorted by key."""
    kept = sorted((_projected(record) for record in records), key=lambda record: record.key)
    used = {record.run for record in kept}
    # The instant a run started says nothing about its numbers and would change the bytes of an equal re-run.
    named = sorted((replace(run, started="") for run in runs if run.run in used), key=lambda run: run.run)
    header = {"condition": condition.as_json(), "runs": [asdict(run) for run in named]}
    body = (
        canonical(header).encode("utf-8")
        + b"\n"
        + b"".join(encode(record, with_reply=False) for record in kept)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    with open(temporary, "wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
        packed.write(body)
    os.replace(temporary, path)


def read_record_file(path: Path) -> RecordFile:
    """Read and verify a released file: every line's checksum, key and value.

    Raises InputError that names the file and line, and the remedy, on a missing, torn, altered or newer file.
    """
    try:
        lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: cannot read the record file ({error}); {_REMEDY}") from error
    condition, runs = _head(path, lines[0] if lines else b"")
    records: dict[str, Record] = {}
    for number, line in enumerate(lines[1:], start=2):
        try:
            record = decode(line, condition)
        except TornLine as error:
            raise InputError(f"{path}, line {number}: {error}; {_REMEDY}") from error
        if record.item in records:
            raise InputError(f"{path}, line {number}: a second record of item {record.item[:12]}; {_REMEDY}")
        records[record.item] = record
    return RecordFile(condition, runs, records)


def read_condition(path: Path) -> Condition:
    """The condition of a released file, from its header alone. Raises InputError as :func:`read_record_file` does."""
    try:
        with gzip.open(path) as packed:
            line = packed.readline()
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: cannot read the record file ({error}); {_REMEDY}") from error
    return _head(path, line)[0]


def _head(path: Path, line: bytes) -> tuple[Condition, tuple[Run, ...]]:
    header = _header(path, line)
    try:
        if not isinstance(header["runs"], list):
            raise TypeError("runs are no list")
        return Condition.from_json(header["condition"]), tuple(made(Run, run) for run in header["runs"])
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: its header holds no condition ({error}); {_REMEDY}") from error


def _header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        header: dict[str, Any] = parse(line)
        schema = schema_of(header["condition"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not a record file; {_REMEDY}") from error
    if schema > SCHEMA_VERSION:
        raise InputError(
            f"{path}: written in record schema {schema}, this version reads up to {SCHEMA_VERSION}; upgrade raim"
        )
    return header


def _projected(record: Record) -> Record:
    value = record.value
    return replace(record, time="", value=replace(value, reply=None) if isinstance(value, Verdict) else value)
