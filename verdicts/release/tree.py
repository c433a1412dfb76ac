"""A download of the release on disk: which of its two shapes it has, and whether it is whole.

Two shapes: the analysis repository's votes-only tree (``verdicts/``: ``.jsonl.gz``, no replies, a manifest) and the
verdict repository's unpacked runs (``runs/``: ``.jsonl`` with replies, a lock). Both list every file with its sha256.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.records.canonical import sha256_file
from verdicts.records.plain import parse

#: Names of the two shapes' folders, below which a repository keeps its tree.
FOLDERS = ("verdicts", "runs")
#: Faults that a message names; the rest are counted.
NAMED = 5


@dataclass(frozen=True)
class Tree:
    """A whole and unaltered tree.

    Attributes
    ----------
    root : the folder that holds a folder a dataset
    packed : whether it is the votes-only tree
    files : by path without ``.gz``, in order, every file that the list names
    records : by path, how many rows the list says that it holds
    digest : the release digest that the list states, or the list's own where it states none
    index_digest : of the release's item index; empty where none is stated
    notes : what a reader must know of the download
    """

    root: Path
    packed: bool
    files: Mapping[str, Path]
    records: Mapping[str, int]
    digest: str
    index_digest: str
    notes: tuple[str, ...]


def open_tree(path: Path, manifest: Path | None = None) -> Tree:
    """Find the tree in a download, and check each of its files against the manifest or lock.

    Raises InputError where there is no tree or both shapes of it, no list, or a file is missing or changed.
    """
    root = _root(path)
    found = sorted(name.as_posix() for name in _measurements(root))
    packed = [name for name in found if name.endswith(".gz")]
    plain = [name for name in found if name.endswith(".jsonl")]
    if packed and plain:
        raise InputError(
            f"{root}: holds both shapes of the release, such as {packed[0]} and {plain[0]}; give the votes-only tree "
            f"or the unpacked runs, each in a folder of its own"
        )
    listed = _list(root, manifest, packed=bool(packed))
    entries = _entries(listed, root)
    _require_whole(root, entries)
    untracked = sorted(set(found) - set(entries))
    notes = [f"not in its list, and so not read: {name}" for name in untracked]
    names = {name.removesuffix(".gz"): root / name for name in sorted(entries)}
    if len(names) < len(entries):
        raise InputError(f"{root}: its list names a file both as .jsonl and as .jsonl.gz")
    stated = listed.body.get("source", {}) if packed else listed.body
    if not isinstance(stated, dict):
        raise InputError(f"{listed.path}: its `source` is no list of digests; download it again")
    return Tree(
        root=root,
        packed=bool(packed),
        files=names,
        records={
            name.removesuffix(".gz"): entry["records"]
            for name, entry in entries.items()
            if "records" in entry and not name.endswith(".json")
        },
        digest=_digest(listed, _sha256(listed, stated, "release_digest"), packed=bool(packed)),
        index_digest=_sha256(listed, stated, "dataset_index_digest"),
        notes=tuple(notes),
    )


def _root(path: Path) -> Path:
    if not path.is_dir():
        raise InputError(f"{path}: is no folder; give the folder of the downloaded release")
    candidates = [path, *(path / name for name in FOLDERS)]
    roots = [folder for folder in candidates if any(folder.glob("*/experiment.jsonl*"))]
    if len(roots) > 1:
        raise InputError(f"{path}: holds several trees ({', '.join(map(str, roots))}); give one of them")
    if not roots:
        raise InputError(
            f"{path}: holds no release: neither it nor its folders {' or '.join(FOLDERS)} have "
            f"<dataset>/experiment.jsonl or experiment.jsonl.gz"
        )
    return roots[0]


def _measurements(root: Path) -> Iterator[Path]:
    """Paths below the root of what the release counts as measurements."""
    for file in root.glob("*/*"):
        name = file.name
        summary = name.startswith("judge_") and name.endswith(".json") and not name.startswith("judge_pair_")
        if file.is_file() and (name.endswith((".jsonl", ".jsonl.gz")) or summary):
            yield file.relative_to(root)


@dataclass(frozen=True)
class _List:
    path: Path
    body: Mapping[str, Any]


def _list(root: Path, given: Path | None, *, packed: bool) -> _List:
    """The manifest (votes-only) or lock (runs): given, or the one JSON file beside the tree that has its shape."""
    what, mark = ("manifest", "dropped_fields") if packed else ("lock", "release_digest")
    paths = [given] if given else [*sorted(root.glob("*.json")), *sorted(root.parent.glob("*.json"))]
    found = []
    for path in paths:
        try:
            body = parse(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            if given:
                raise InputError(f"{path}: cannot read the {what} ({error})") from error
            continue
        if isinstance(body, dict) and mark in body and isinstance(body.get("files"), dict):
            found.append(_List(path, body))
    if len(found) != 1:
        where = given or f"{root} and {root.parent}"
        raise InputError(
            f"{where}: {'no' if not found else 'more than one'} {what} of this shape (a JSON file with `files` and "
            f"`{mark}`); download it too, and name it with --manifest"
        )
    return found[0]


def _entries(listed: _List, root: Path) -> dict[str, Mapping[str, Any]]:
    """The listed files, by path below the root."""
    entries: dict[str, Mapping[str, Any]] = {}
    for name, entry in listed.body["files"].items():
        if not isinstance(entry, dict) or not _is_sha256(entry.get("sha256")):
            raise InputError(f"{listed.path}: {name!r}: has no sha256; download the list again")
        if not (type(entry.get("records", 0)) is int and name.isprintable()):
            raise InputError(
                f"{listed.path}: {name!r}: has no printable name or no number of records; download the list again"
            )
        parts = Path(name).parts
        short = "/".join(parts[1:] if len(parts) == 3 and parts[0] in FOLDERS else parts)
        if short in entries or Path(short).is_absolute() or ".." in parts:
            raise InputError(f"{listed.path}: {name}: is no path of the tree {root}, or named twice")
        entries[short] = entry
    stated = listed.body.get("n_files", len(entries))
    if stated != len(entries):
        raise InputError(f"{listed.path}: names {len(entries)} files, and says {stated}; download it again")
    return entries


def _require_whole(root: Path, entries: Mapping[str, Mapping[str, Any]]) -> None:
    missing = [name for name in entries if not (root / name).is_file()]
    changed = [
        name
        for name, entry in entries.items()
        if name not in missing and sha256_file(root / name) != entry["sha256"]
    ]
    for what, names in (("missing", missing), ("changed", changed)):
        if names:
            more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            raise InputError(
                f"{root}: {what}: {', '.join(sorted(names)[:NAMED])}{more}; download the release again"
            )


def _is_sha256(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value) is not None


def _sha256(listed: _List, stated: Mapping[str, Any], name: str) -> str:
    """A digest that a list states; empty where it states none."""
    value = stated.get(name)
    if value is not None and not _is_sha256(value):
        raise InputError(f"{listed.path}: its {name} {repr(value)[:40]} is no sha256; download it again")
    return value or ""


def _digest(listed: _List, stated: str, *, packed: bool) -> str:
    """The digest that a lock states must be that of the files it lists; a manifest quotes its source's."""
    names = listed.body["files"]
    own = hashlib.sha256(
        "".join(f"{name} {names[name]['sha256']}\n" for name in sorted(names)).encode("utf-8")
    ).hexdigest()
    if packed:
        return stated or own
    if stated != own:
        raise InputError(
            f"{listed.path}: its release digest {stated[:16]} is not that of its files, {own[:16]}; download it again"
        )
    return own
