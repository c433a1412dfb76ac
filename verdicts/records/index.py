"""The content-addressed item index: who an item is, without its text.

A tab-separated file with one row an item: uid, cluster, gold (1 = hallucinated), content hash (sha256 of question,
evidence and candidate) and the public release's join key (sha1).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from raim.errors import InputError

HEADER = ("uid", "cluster", "gold", "content", "join")
#: Begins the content hash of an item whose text is not at hand (of an imported release): it stands for itself only.
NO_TEXT = "release/"


@dataclass(frozen=True)
class IndexRow:
    """One item of a benchmark. ``join`` is empty for benchmarks outside the public release."""

    uid: str
    cluster: str
    gold: int
    content: str
    join: str

    @property
    def has_text(self) -> bool:
        """Whether ``content`` is the hash of what the item says."""
        return not self.content.startswith(NO_TEXT)


def require_names(uid: object, cluster: object) -> None:
    """Raises ValueError where an item's uid or cluster could not be read back from an index."""
    if not isinstance(uid, str) or not _is_field(uid):
        raise ValueError(f"uid {uid!r} is no text of one line without tabs")
    if isinstance(cluster, bool) or not isinstance(cluster, int | str) or not _is_field(str(cluster)):
        raise ValueError(
            f"item {uid}: cluster {cluster!r} is neither an integer nor a text of one line without tabs"
        )


def require_texts(uid: str, texts: Iterable[object]) -> None:
    """Raises ValueError where what an item says is no text, or holds half a character (a lone surrogate)."""
    for text in texts:
        if not isinstance(text, str):
            raise ValueError(f"item {uid}: holds {type(text).__name__} where a text is wanted")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError(
                f"item {uid}: a text holds half a character, the surrogate {text[error.start : error.end]!r}"
            ) from error


def _is_field(text: str) -> bool:
    """Whether a text is one field of one line of an index."""
    return "\t" not in text and text.splitlines() == [text]


def read_index(path: Path) -> list[IndexRow]:
    """Rows in the file's order. Raises InputError on a missing or malformed file, or on repeated uids."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path}: cannot read the item index ({error}); build it with `raim index`"
        ) from error
    if not lines or tuple(lines[0].split("\t")) != HEADER:
        raise InputError(
            f"{path}: not an item index; its first line must be {' '.join(HEADER)!r}, tab-separated"
        )
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split("\t")
        if len(fields) != len(HEADER) or fields[2] not in ("0", "1"):
            raise InputError(
                f"{path}, line {number}: needs {len(HEADER)} fields with gold 0 or 1; restore the file"
            )
        rows.append(IndexRow(fields[0], fields[1], int(fields[2]), fields[3], fields[4]))
    if len({row.uid for row in rows}) != len(rows):
        raise InputError(f"{path}: a uid occurs twice; restore the file")
    return rows


def write_index(path: Path, rows: Iterable[IndexRow]) -> None:
    """Write the rows in the order given, atomically. Raises InputError where the file cannot be written."""
    body = [HEADER, *((row.uid, row.cluster, str(row.gold), row.content, row.join) for row in rows)]
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text("".join("\t".join(fields) + "\n" for fields in body), encoding="utf-8")
        os.replace(temporary, path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise InputError(
            f"{path}: cannot be written ({error.strerror}); make room, or choose another file"
        ) from error
