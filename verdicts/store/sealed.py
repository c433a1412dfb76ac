"""A sealed file: all finished records of a shard, sorted by key, with a sidecar of its keys for instant look-ups."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from raim.errors import InputError
from verdicts.records.lines import TornLine, check, key_of

Keys = npt.NDArray[np.bytes_]
_KEY = np.dtype("S64")
_NO_KEYS = np.empty(0, dtype=_KEY)


def read_keys(path: Path) -> Keys:
    """Sorted keys of a sealed file (n,), from its sidecar; rebuilt where the sidecar is not of this very file."""
    if not path.exists():
        return _NO_KEYS
    sidecar = _sidecar(path)
    if sidecar.exists():
        keys = np.fromfile(sidecar, dtype=_KEY)
        if keys.size and keys[0] == _stamp(path):
            return keys[1:]
    keys = np.array([key_of(line) for line in iterate(path)], dtype=_KEY)
    try:
        _write_sidecar(path, keys)
    except OSError:
        pass  # A read-only store: the keys are right all the same, only slower to get.
    return keys


def iterate(path: Path) -> Iterator[bytes]:
    """Every line of a sealed file, each verified. Raises InputError that names the first bad one."""
    with open(path, "rb") as handle:
        for number, line in enumerate(handle, start=1):
            try:
                check(line)
            except TornLine as error:
                raise InputError(
                    f"{path}, line {number}: {error}; the sealed file was altered: restore it from a backup, or delete "
                    f"the line and {_sidecar(path).name} and run again (its item is then judged again)"
                ) from error
            yield line


def merge(path: Path, fresh: Sequence[bytes]) -> tuple[int, int]:
    """Seal fresh lines into the file, atomically. The first record of a key stays; returns (added, repeated).

    Time and memory are linear in the lines, which are never parsed: those of the old file stream through.
    """
    lines: dict[bytes, bytes] = {}
    for line in fresh:
        lines.setdefault(key_of(line), line)
    known = read_keys(path)
    candidates = np.array(sorted(lines), dtype=_KEY)
    new = candidates[~_contains(known, candidates)]
    if new.size:
        temporary = path.with_name(f".{path.name}.tmp")
        with open(temporary, "wb") as out:
            pending = iter(new.tolist())
            upcoming = next(pending, None)
            for old in iterate(path) if known.size else ():
                while upcoming is not None and upcoming < key_of(old):
                    out.write(lines[upcoming])
                    upcoming = next(pending, None)
                out.write(old)
            while upcoming is not None:
                out.write(lines[upcoming])
                upcoming = next(pending, None)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
        _write_sidecar(path, np.sort(np.concatenate([known, new])))
    return int(new.size), len(fresh) - int(new.size)


def missing(known: Keys, wanted: Sequence[str]) -> list[int]:
    """Positions of the wanted keys that are not among the known (sorted) ones."""
    return np.flatnonzero(~_contains(known, np.array(wanted, dtype=_KEY))).tolist()


def _contains(known: Keys, wanted: Keys) -> npt.NDArray[np.bool_]:
    if not known.size:
        return np.zeros(wanted.shape, dtype=bool)
    at = np.minimum(np.searchsorted(known, wanted), known.size - 1)
    return np.asarray(known[at] == wanted)


def _sidecar(path: Path) -> Path:
    return path.with_name(f"{path.name}.keys")


def _stamp(path: Path) -> bytes:
    """What ties a sidecar to a file: the file's size and modification time."""
    status = path.stat()
    return b"%d-%d" % (status.st_size, status.st_mtime_ns)


def _write_sidecar(path: Path, keys: Keys) -> None:
    sidecar = _sidecar(path)
    temporary = sidecar.with_name(f".{sidecar.name}.tmp")
    np.concatenate([np.array([_stamp(path)], dtype=_KEY), keys]).tofile(temporary)
    os.replace(temporary, sidecar)
