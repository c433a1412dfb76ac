"""A sealed file: all finished records of a shard, sorted by key, each key once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from raim.errors import InputError
from verdicts.records.lines import TornLine, check, key_of
from verdicts.store import sidecar
from verdicts.store.disk import durable, numbered_lines, write_error
from verdicts.store.segment import OpenSegment
from verdicts.store.sidecar import KEY, Keys, contains

Places = npt.NDArray[np.int64]
_BUFFER = 1 << 20
_BLOCK = 1 << 16
#: Behind the last line: greater than every key.
_END = (b"~", b"")


def read_keys(path: Path) -> Keys:
    """Sorted keys of a sealed file (n,): from its sidecar, or from the file where the sidecar is not of this very one.

    Raises InputError where the file is damaged, or shorter than when it was sealed.
    """
    keys = sidecar.read(path)
    if keys is not None:
        return keys
    keys = np.fromiter((key_of(line) for line in iterate(path)), dtype=KEY)
    wrong = np.flatnonzero(keys[1:] <= keys[:-1])
    if wrong.size:
        raise InputError(
            f"{path}, line {wrong[0] + 2}: its key is not greater than the one before; the sealed file was altered: "
            f"restore it from a backup"
        )
    return keys


def iterate(path: Path) -> Iterator[bytes]:
    """Every line of a sealed file, each verified; none where there is no file. Raises InputError naming a bad one."""
    for number, line in numbered_lines(path):
        try:
            check(line)
            key_of(line)
        except TornLine as error:
            raise InputError(
                f"{path}, line {number}: {error}; the sealed file was altered: restore it from a backup, or delete "
                f"the line and {sidecar.path_of(path).name} and run again (its item is then judged again)"
            ) from error
        yield line


def merge(path: Path, segments: Sequence[OpenSegment]) -> tuple[int, int]:
    """Seal the segments' lines into the file, atomically. The first record of a key stays; returns (added, repeated).

    Lines are neither parsed nor held: old ones stream through, new ones are read from their segments when their turn
    comes. Time is linear in the lines; memory is some 100 bytes a line. Call it under the shard's lock.
    """
    keys, where = _first_of_each(segments)
    known = read_keys(path)
    absent = ~contains(known, keys)
    new, places = keys[absent], where[absent]
    total = sum(len(segment.keys) for segment in segments)
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        if new.size:
            _write(temporary, path, new, segments, places)
            os.replace(temporary, path)
            durable(path.parent)
            known = np.insert(known, np.searchsorted(known, new), new)
        sidecar.write(path, known)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise write_error(path, error, "nothing is lost: the next run seals again") from error
    return int(new.size), total - int(new.size)


def _first_of_each(segments: Sequence[OpenSegment]) -> tuple[Keys, Places]:
    """The segments' distinct keys in order, and for each the segment and line (m, 2) of its first record."""
    keys = np.concatenate([np.empty(0, dtype=KEY), *(segment.keys for segment in segments)])
    places = np.concatenate(
        [np.empty((0, 2), dtype=np.int64)]
        + [
            np.column_stack([np.full(len(segment.keys), number), np.arange(len(segment.keys))])
            for number, segment in enumerate(segments)
        ]
    )
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.ones(len(keys), dtype=bool)
    first[1:] = keys[1:] != keys[:-1]
    return keys[first], places[order][first]


def _write(temporary: Path, path: Path, keys: Keys, segments: Sequence[OpenSegment], places: Places) -> None:
    """The old file's lines and the new ones, in the order of their keys."""
    upcoming = zip(keys.tolist(), _stream(segments, places), strict=True)
    key, line = next(upcoming)
    with open(temporary, "wb", buffering=_BUFFER) as out:
        for old in iterate(path):
            while key < key_of(old):
                out.write(line)
                key, line = next(upcoming, _END)
            out.write(old)
        while line:
            out.write(line)
            key, line = next(upcoming, _END)
        out.flush()
        os.fsync(out.fileno())


def _stream(segments: Sequence[OpenSegment], places: Places) -> Iterator[bytes]:
    """The lines at the places, a block of places at a time: a million small lists would fill the memory."""
    for start in range(0, len(places), _BLOCK):
        for segment, line in places[start : start + _BLOCK].tolist():
            yield segments[segment].line(line)
