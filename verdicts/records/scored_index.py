"""The index of scored items that a suite of distribution records ships: who an item is, and its human score.

A tab-separated file with one row an item: uid, cluster, content hash, target on [0, 1] and, where the dataset has
splits of its own, split.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from raim.errors import InputError

HEADER = ("uid", "cluster", "content", "target")


@dataclass(frozen=True)
class ScoredItem:
    """An item with its human score on [0, 1]. ``content`` is the hash that records name it by."""

    uid: str
    cluster: str
    content: str
    target: float
    split: str | None = None


def read_scored_index(path: Path) -> list[ScoredItem]:
    """Rows in the file's order. Raises InputError on a missing or malformed file, or on a repeated uid."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot read the scored index ({error}); restore it from the release"
        ) from error
    header = tuple(lines[0].split("\t")) if lines else ()
    if header not in (HEADER, (*HEADER, "split")):
        raise InputError(
            f"{path}: not a scored index; its first line must be {' '.join(HEADER)} [split], tab-separated"
        )
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split("\t")
        if len(fields) != len(header):
            raise InputError(
                f"{path}, line {number}: {len(fields)} fields where the header has {len(header)}"
            )
        uid, cluster, content, target, *split = fields
        rows.append(ScoredItem(uid, cluster, content, _target(path, number, target), *split))
    if len({row.uid for row in rows}) != len(rows):
        raise InputError(f"{path}: a uid occurs twice; restore the file")
    return rows


def write_scored_index(path: Path, rows: list[ScoredItem]) -> None:
    """Write the rows in the order given, atomically; all rows have a split or none has."""
    splits = [row.split for row in rows if row.split is not None]
    if splits and len(splits) != len(rows):
        raise InputError(f"{path}: some items have a split and some have none; give all or none")
    lines = ["\t".join((*HEADER, "split") if splits else HEADER)]
    for row in rows:
        fields = [
            row.uid,
            row.cluster,
            row.content,
            repr(row.target),
            *([row.split] if row.split is not None else []),
        ]
        lines.append("\t".join(fields))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text("\n".join([*lines, ""]), encoding="utf-8")
    temporary.replace(path)


def _target(path: Path, number: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 <= value <= 1.0:
        raise InputError(
            f"{path}, line {number}: target {text!r} is not a number on [0, 1]; normalise human scores first"
        )
    return value
