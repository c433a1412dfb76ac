"""Read anyone's panel from a CSV file: one row an item, one column a member.

What a file may hold (``docs/audit.md``): UTF-8 with or without a byte order mark, a header, any line ends,
quoted fields with commas or line breaks. Blanks around names, ids and labels are dropped; wholly empty lines
are skipped. A vote is ``1`` (hallucinated), ``0`` (supported) or empty (abstained); ``1.0`` and ``0.0``,
which pandas writes for a column with gaps, are the same numbers. Anything else is an error that names the
line and the column.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from analysis.arrays import Floats
from analysis.panel.csv_rows import delimiter_hint, header_and_rows, read_bytes
from analysis.panel.votes import VoteMatrix, require_analysable, vote_matrix
from analysis.statistics.folds import N_FOLDS
from raim.errors import InputError
from raim.safe_text import csv_data, csv_read

_LABELS = {"0": 0.0, "0.0": 0.0, "1": 1.0, "1.0": 1.0}


@dataclass(frozen=True)
class Columns:
    """Names of the columns: item id, cluster id, gold label; members, or None for all other columns."""

    item: str = "item"
    cluster: str = "cluster"
    gold: str = "gold"
    members: tuple[str, ...] | None = None


def read_votes_csv(path: Path, columns: Columns | None = None, delimiter: str = ",") -> VoteMatrix:
    """Read a panel's votes; items keep the file's order.

    Raises
    ------
    InputError
        If the file cannot be read as described above, a named column is missing or ambiguous, an id is empty
        or an item repeated, or a label is neither 0, 1 nor, for a vote, empty.
    """
    return parse_votes_csv(read_bytes(path), str(path), columns or Columns(), delimiter)


def read_analysable(path: Path, columns: Columns, delimiter: str) -> tuple[VoteMatrix, dict[str, str]]:
    """A panel that the estimators are defined on, with the name and the sha256 of its file.

    Raises
    ------
    InputError
        As :func:`read_votes_csv` and, naming the file, :func:`analysis.panel.votes.require_analysable`.
    """
    content = read_bytes(path)
    panel = parse_votes_csv(content, str(path), columns, delimiter)
    try:
        require_analysable(panel, N_FOLDS)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return panel, {"name": path.name, "sha256": hashlib.sha256(content).hexdigest()}


def parse_votes_csv(content: bytes, name: str, columns: Columns, delimiter: str = ",") -> VoteMatrix:
    """As :func:`read_votes_csv`, from bytes; ``name`` is what messages call the file."""
    header, rows = header_and_rows(content, name, delimiter)
    layout = _layout(header, columns, name, delimiter)
    uids, clusters = [], []
    gold: list[float] = []
    votes: list[list[float]] = []
    for where, row in rows:
        uids.append(_id(row[layout.item], columns.item, where))
        clusters.append(_id(row[layout.cluster], columns.cluster, where))
        gold.append(_gold(row[layout.gold], columns.gold, where))
        votes.append([_vote(row[index], header[index], where) for index in layout.members])
    if not uids:
        raise InputError(f"{name}: a header and no items")
    members = [header[index] for index in layout.members]
    try:
        return vote_matrix(members, uids, clusters, np.array(gold), np.array(votes))
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def parse_unlabelled_csv(
    content: bytes, name: str, columns: Columns, members: Sequence[str], delimiter: str = ","
) -> tuple[list[str], Floats]:
    """Item ids and votes (n, k) of exactly these members, in this order, from a file without gold and clusters.

    Columns of the names that ``columns`` gives for these may be there and are not read.

    Raises
    ------
    InputError
        If a member has no column, another column is there, or the file is wrong as :func:`read_votes_csv` says.
    """
    header, rows = header_and_rows(content, name, delimiter)
    if columns.item not in header:
        raise InputError(
            f"{name}: no column {columns.item!r} (--item); the header has {_quoted(header)}"
            f"{delimiter_hint(header, delimiter)}"
        )
    if absent := [member for member in members if member not in header]:
        raise InputError(
            f"{name}: no column {_quoted(absent)}; the model weighs the votes of all of its members together, so ask "
            "them too, or fit a model without them"
        )
    known = {columns.item, columns.cluster, columns.gold, *members}
    if unknown := [column for column in header if column not in known]:
        raise InputError(
            f"{name}: column {_quoted(unknown)} is no member of the model ({_quoted(members)}); delete it, or fit a "
            "model with it"
        )
    if repeated := [column for column, count in Counter(header).items() if count > 1]:
        raise InputError(f"{name}: column {_quoted(repeated)} appears twice; give each column its own name")
    positions = [header.index(member) for member in members]
    uids, votes = [], []
    for where, row in rows:
        uids.append(_id(row[header.index(columns.item)], columns.item, where))
        votes.append([_vote(row[index], header[index], where) for index in positions])
    if not uids:
        raise InputError(f"{name}: a header and no items")
    if repeated := [uid for uid, count in Counter(uids).items() if count > 1]:
        raise InputError(f"{name}: item {repeated[0]!r} appears more than once; each may appear once")
    return uids, np.array(votes)


def to_csv(panel: VoteMatrix) -> str:
    """A panel as the file that :func:`read_votes_csv` reads; names and ids that a spreadsheet would run are marked."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([Columns.item, Columns.cluster, Columns.gold, *map(csv_data, panel.members)])
    for row, uid in enumerate(panel.uids):
        votes = ["" if np.isnan(vote) else int(vote) for vote in panel.votes[row]]
        cluster = csv_data(panel.clusters[panel.cluster[row]])
        writer.writerow([csv_data(uid), cluster, int(panel.gold[row]), *votes])
    return stream.getvalue()


@dataclass(frozen=True)
class _Layout:
    item: int
    cluster: int
    gold: int
    members: tuple[int, ...]


def _layout(header: Sequence[str], columns: Columns, name: str, delimiter: str) -> _Layout:
    """Where the columns are; every column used has a name, once."""
    fixed = {"--item": columns.item, "--cluster": columns.cluster, "--gold": columns.gold}
    missing = {option: column for option, column in fixed.items() if column not in header}
    if missing:
        wanted = ", ".join(f"{column!r} ({option})" for option, column in missing.items())
        raise InputError(
            f"{name}: no column {wanted}; the header has {_quoted(header)}{delimiter_hint(header, delimiter)}"
        )
    if len(set(fixed.values())) < len(fixed):
        raise InputError(
            f"--item, --cluster and --gold name one column twice: {_quoted(list(fixed.values()))}"
        )
    if columns.members is None:
        members = [column for column in header if column not in fixed.values()]
        if "" in members:
            raise InputError(
                f"{name}: column {header.index('') + 1} has no name; name it, delete it (a row number is no member), "
                "or list the members with --members"
            )
    else:
        members = list(columns.members)
        if absent := [member for member in members if member not in header]:
            raise InputError(
                f"{name}: no column {_quoted(absent)} (--members); the header has {_quoted(header)}"
            )
        if shared := [member for member in members if member in fixed.values()]:
            raise InputError(f"--members names {_quoted(shared)}, which is not a column of votes")
    if not members:
        raise InputError(f"{name}: no members; add a column of votes for each")
    used = Counter(column for column in header if column in {*fixed.values(), *members})
    if repeated := [column for column, count in used.items() if count > 1]:
        raise InputError(f"{name}: column {_quoted(repeated)} appears twice; give each column its own name")
    if len(set(members)) < len(members):
        raise InputError("--members names a column twice")
    return _Layout(
        item=header.index(columns.item),
        cluster=header.index(columns.cluster),
        gold=header.index(columns.gold),
        members=tuple(header.index(member) for member in members),
    )


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names)


def _id(field: str, column: str, where: str) -> str:
    if not (value := field.strip()):
        raise InputError(f"{where}: empty {column!r}; every item needs one")
    return csv_read(value)


def _gold(field: str, column: str, where: str) -> float:
    if (value := _LABELS.get(field.strip())) is None:
        raise InputError(
            f"{where}: {column!r} is {field!r}; a gold label is 1 (hallucinated) or 0 (supported)"
        )
    return value


def _vote(field: str, column: str, where: str) -> float:
    if not (text := field.strip()):
        return float("nan")
    if (value := _LABELS.get(text)) is None:
        raise InputError(
            f"{where}: {column!r} is {field!r}; a vote is 1 (hallucinated), 0 (supported) or empty (abstained)"
        )
    return value
