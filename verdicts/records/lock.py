"""The lock of released records: one sha256 a file, one release digest for the suite.

Digests are of the files' content, gunzipped, so that another build of zlib does not move them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.records.plain import made, parse

LOCK_NAME = "LOCK.json"


@dataclass(frozen=True)
class Entry:
    """What the lock holds of one file: sha256 and bytes of its content, and its number of lines."""

    sha256: str
    bytes: int
    lines: int


def describe(suite: Path) -> dict[str, Entry]:
    """Every released file below a suite's folder by its path: records, index and ``suite.json``.

    Hidden files are not released. Raises InputError where a file is damaged.
    """
    return {name: _entry(path) for name, path in _files(suite).items()}


def release_digest(entries: dict[str, Entry]) -> str:
    """sha256 over path, space, file sha256 and newline, for the paths in sorted order (the release's rule)."""
    text = "".join(f"{path} {entries[path].sha256}\n" for path in sorted(entries))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def write_lock(suite: Path) -> str:
    """Lock the suite's files as they are; returns the release digest."""
    entries = describe(suite)
    digest = release_digest(entries)
    body = {"release_digest": digest, "files": {path: asdict(entry) for path, entry in entries.items()}}
    temporary = suite / f".{LOCK_NAME}.tmp"
    temporary.write_text(json.dumps(body, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(temporary, suite / LOCK_NAME)
    return digest


def locked_digest(suite: Path) -> str:
    """The release digest in the suite's lock. Raises InputError where there is no readable lock."""
    return str(_read(suite)["release_digest"])


@dataclass(frozen=True)
class Difference:
    """Paths in which a suite's folder differs from its lock; a damaged file counts as changed.

    ``locked`` is the lock's release digest, ``found`` that of the files as they are, None where one is damaged.
    """

    missing: tuple[str, ...]
    changed: tuple[str, ...]
    untracked: tuple[str, ...]
    locked: str
    found: str | None


def compare_lock(suite: Path) -> Difference:
    """Missing, changed and untracked files of a suite. Raises InputError where there is no readable lock."""
    body = _read(suite)
    locked = {path: Entry(**entry) for path, entry in body["files"].items()}
    found: dict[str, Entry | None] = {}
    for name, path in _files(suite).items():
        try:
            found[name] = _entry(path)
        except InputError:
            found[name] = None
    whole = {name: entry for name, entry in found.items() if entry is not None}
    return Difference(
        missing=tuple(sorted(set(locked) - set(found))),
        changed=tuple(sorted(path for path in set(locked) & set(found) if locked[path] != found[path])),
        untracked=tuple(sorted(set(found) - set(locked))),
        locked=str(body["release_digest"]),
        found=release_digest(whole) if len(whole) == len(found) else None,
    )


def _files(suite: Path) -> dict[str, Path]:
    found = {path.relative_to(suite): path for path in sorted(suite.rglob("*")) if path.is_file()}
    return {
        name.as_posix(): path
        for name, path in found.items()
        if name.as_posix() != LOCK_NAME and not any(part.startswith(".") for part in name.parts)
    }


def _read(suite: Path) -> dict[str, Any]:
    path = suite / LOCK_NAME
    try:
        value: dict[str, Any] = parse(path.read_text(encoding="utf-8"))
        own = release_digest({name: made(Entry, entry) for name, entry in value["files"].items()})
        stated = value["release_digest"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path}: cannot read the suite's lock ({error}); restore it, or lock the suite again"
        ) from error
    if stated != own:
        raise InputError(
            f"{path}: its release digest {str(stated)[:16]} is not that of the files it lists, {own[:16]}; restore it"
        )
    return value


def _entry(path: Path) -> Entry:
    data = path.read_bytes()
    if path.suffix == ".gz":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(
                f"{path}: not a whole gzip file ({error}); restore it from the release"
            ) from error
    return Entry(hashlib.sha256(data).hexdigest(), len(data), data.count(b"\n"))
