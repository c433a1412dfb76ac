"""Rows of the release's files, each held against the items and against what its file may hold."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.records.index import IndexRow
from verdicts.records.plain import parse

#: Rows are named by the class that they were built as.
KINDS = {"pos": 0, "neg": 1}
_MISSING = object()


@dataclass(frozen=True)
class Expected:
    """What every row of one file says.

    Attributes
    ----------
    models : by the name in a row, the checkpoint
    constants : fields with one value
    partial : whether items may lack, the same for all models
    check : further conditions on a row; returns what is wrong, or None
    """

    models: Mapping[str, str]
    constants: Mapping[str, str]
    partial: bool = False
    check: Callable[[Mapping[str, Any]], str | None] = lambda row: None


@dataclass
class Votes:
    """Verdicts of a file by checkpoint and uid: 1 (hallucinated), 0 (supported) or None (abstained)."""

    by_model: dict[str, dict[str, int | None]] = field(default_factory=dict)
    replies: int = 0
    contradicted: int = 0

    @property
    def rows(self) -> int:
        """Rows in all."""
        return sum(map(len, self.by_model.values()))


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, row) of every line that is not blank. Raises InputError that names the file and line."""
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else open(path, "rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield number, _row(path, number, line)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            f"{path}: is cut off or no gzip file after line {number} ({error}); download it again"
        ) from error


def read_votes(
    path: Path,
    expected: Expected,
    items: Mapping[str, IndexRow],
    *,
    records: int | None = None,
    replies: bool | None = None,
    parse: Callable[[str], int | None] | None = None,
) -> Votes:
    """The verdicts of a file.

    Parameters
    ----------
    items : by uid
    records : rows that the manifest or lock says it holds
    replies : whether rows must hold the raw reply, must not, or may (None)
    parse : reads a reply as the release did, to count verdicts that contradict theirs

    Raises
    ------
    InputError
        That names the file and line of a row that the release could not hold, or what the file lacks.
    """
    votes = Votes()
    count = 0
    for number, row in read_rows(path):
        count += 1
        try:
            model = _model(row, expected)
            uid, verdict = _verdict(row, expected, items)
            if replies is not None and ("raw" in row) != replies:
                raise _Wrong(
                    "holds a raw reply, in a votes-only file" if "raw" in row else "lacks the raw reply"
                )
            if not isinstance(row.get("raw"), str | None):
                raise _Wrong(f"raw is {_shown(row['raw'])}; a reply's text, or null where there is none")
        except _Wrong as wrong:
            raise InputError(f"{path}, line {number}: {wrong}") from None
        mine = votes.by_model.setdefault(model, {})
        if uid in mine:
            raise InputError(f"{path}, line {number}: a second verdict of {model} on item {uid!r}")
        mine[uid] = verdict
        if parse is not None and isinstance(row.get("raw"), str):
            votes.replies += 1
            votes.contradicted += parse(row["raw"]) != verdict
    if records is not None and count != records:
        raise InputError(
            f"{path}: holds {count} rows, its manifest or lock says {records}; download it again"
        )
    _require_complete(path, votes, expected, items)
    return votes


class _Wrong(Exception):
    """What is wrong with a row."""


def _row(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = parse(line, object_pairs_hook=_no_repeated_field)
    except ValueError as error:
        raise InputError(f"{path}, line {number}: is no JSON ({error}); download it again") from error
    if not isinstance(row, dict):
        raise InputError(f"{path}, line {number}: is no JSON object; download it again")
    return row


def _no_repeated_field(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise ValueError("a field is given twice")
    return row


def _model(row: Mapping[str, Any], expected: Expected) -> str:
    name = row.get("model", _MISSING)
    if not isinstance(name, str) or name not in expected.models:
        raise _Wrong(f"unknown judge {_shown(name)}; this file is of {', '.join(expected.models)}")
    for constant, value in expected.constants.items():
        if row.get(constant, _MISSING) != value:
            raise _Wrong(f"{constant} is {_shown(row.get(constant, _MISSING))}, not {value!r}")
    return expected.models[name]


def _verdict(
    row: Mapping[str, Any], expected: Expected, items: Mapping[str, IndexRow]
) -> tuple[str, int | None]:
    uid, kind, gold = (row.get(name, _MISSING) for name in ("uid", "kind", "gold"))
    if not isinstance(uid, str) or uid not in items:
        raise _Wrong(f"item {_shown(uid)} is not in the index")
    item = items[uid]
    if not _is_label(gold) or not isinstance(kind, str) or KINDS.get(kind, _MISSING) != gold:
        raise _Wrong(
            f"kind {_shown(kind)} with gold {_shown(gold)}; pos has 0 (supported), neg has 1 (hallucinated)"
        )
    if gold != item.gold:
        raise _Wrong(f"gold of item {uid!r} is {gold}, the index has {item.gold}")
    if str(row.get("row_id", _MISSING)) != item.cluster:
        raise _Wrong(
            f"row_id of item {uid!r} is {_shown(row.get('row_id', _MISSING))}, the index has {item.cluster}"
        )
    if item.join and "src_key" in row and row["src_key"] != item.join:
        raise _Wrong(f"src_key of item {uid!r} is not the index's join key")
    verdict = row.get("pred", _MISSING)
    if verdict is not None and not _is_label(verdict):
        raise _Wrong(f"pred is {_shown(verdict)}; 1 (hallucinated), 0 (supported) or null (abstained)")
    if wrong := expected.check(row):
        raise _Wrong(wrong)
    return uid, verdict


def _is_label(value: object) -> bool:
    return type(value) is int and value in (0, 1)


def _shown(value: object) -> str:
    return "missing" if value is _MISSING else repr(value)[:60]


def _require_complete(path: Path, votes: Votes, expected: Expected, items: Mapping[str, IndexRow]) -> None:
    absent = [model for model in expected.models.values() if model not in votes.by_model]
    if absent:
        raise InputError(f"{path}: holds no row of {', '.join(dict.fromkeys(absent))}; download it again")
    asked = set(items)
    if expected.partial:
        # The prompt's worked examples are whole records, taken out for every judge alike.
        asked = set(next(iter(votes.by_model.values())))
        left = {items[uid].cluster for uid in asked} & {items[uid].cluster for uid in items.keys() - asked}
        if left:
            raise InputError(
                f"{path}: lacks single items of row_id {min(left)}; the probe leaves out whole records"
            )
    for model, found in votes.by_model.items():
        odd = sorted(asked ^ set(found))
        if odd:
            raise InputError(
                f"{path}: {model} has {len(found)} of {len(asked)} items; {odd[0]!r} is the first that differs; "
                f"download it again"
            )
