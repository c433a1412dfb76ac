"""A user's scores in long format: one row an item and judge (``docs/judgemoe.md``).

Columns ``item,cluster,judge`` and either ``p_1..p_K``, the probabilities of the labels 1..K (any ascending numbers may
stand for 1..K), or ``score``, a decoded score; ``target`` to fit, and optionally ``split``. Other columns are ignored.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell, ScoreSource
from analysis.judgemoe.sources.decoded import one_hot
from analysis.judgemoe.sources.rows import Items, cell_from_rows
from raim.errors import InputError
from raim.safe_text import csv_read

_PROBABILITY = re.compile(r"p_(-?\d+(?:\.\d+)?)")
#: More different scores than this are no label set.
MAX_LABELS = 101


@dataclass
class _Rows:
    """What has been read so far."""

    items: dict[str, int] = field(default_factory=dict)
    judges: dict[str, int] = field(default_factory=dict)
    clusters: list[str] = field(default_factory=list)
    targets: list[float] = field(default_factory=list)
    splits: list[str] = field(default_factory=list)
    item_of_row: list[int] = field(default_factory=list)
    judge_of_row: list[int] = field(default_factory=list)
    values: list[list[float]] = field(default_factory=list)


@dataclass(frozen=True)
class Scores:
    """A file as a cell, and how its targets were read. ``labels`` are the label values as the file has them."""

    cell: Cell
    labels: tuple[float, ...]
    target_range: tuple[float, float]
    has_targets: bool
    has_splits: bool


def read_scores(
    path: Path,
    *,
    target_range: tuple[float, float] | None = None,
    labels: Sequence[float] | None = None,
    need_targets: bool = True,
) -> Scores:
    """Read a file of scores into a cell named after it.

    Parameters
    ----------
    target_range : lowest and highest human score, mapped to 0 and 1. By default targets that all lie on [0, 1] are
        taken as they are, and others that all lie on the labels' range are mapped from it.
    labels : the label set that decoded scores are read on; by default the scores that occur in the file.
    need_targets : whether a missing target is an error; without, targets are 0 and mean nothing.

    Raises
    ------
    InputError
        Naming the line and column of what cannot be read, or the item and judge of a distribution that is none.
    """
    header, rows = _read(path, need_targets)
    has_targets = "target" in header and need_targets
    source: ScoreSource = "decoded" if "score" in header else "token_probabilities"
    values = np.array(rows.values)
    if source == "decoded":
        grid = np.unique(values) if labels is None else np.asarray(labels, dtype=np.float64)
        _check_grid(path, values, grid)
        distributions = one_hot(values[:, 0], grid)
    else:
        grid = np.array([float(match[1]) for name in header if (match := _PROBABILITY.fullmatch(name))])
        order = np.argsort(grid)
        grid, distributions = grid[order], values[:, order]
    targets = np.array(rows.targets) if has_targets else np.zeros(len(rows.items))
    ends = _target_range(path, targets, grid, target_range) if has_targets else (0.0, 1.0)
    ids = list(rows.items)
    cell = cell_from_rows(
        path.stem,
        f"{grid[0]:g}-{grid[-1]:g}",
        grid.tolist(),
        Items(
            ids,
            rows.clusters,
            (targets - ends[0]) / (ends[1] - ends[0]),
            # Every item is fitted or predicted out of fold: splits matter only where the file has them.
            rows.splits if "split" in header else ["train"] * len(ids),
        ),
        list(rows.judges),
        np.array(rows.item_of_row),
        np.array(rows.judge_of_row),
        distributions,
        source,
    )
    return Scores(cell, tuple(grid.tolist()), ends, has_targets, "split" in header)


def _read(path: Path, need_targets: bool) -> tuple[list[str], _Rows]:
    rows = _Rows()
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            header = [name.strip() for name in next(reader, [])]
            wanted = _columns(path, header, need_targets)
            for line in reader:
                if line:
                    _take(f"{path}, line {reader.line_num}", line, header, wanted, rows)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as a UTF-8 CSV file ({error})") from None
    if not rows.items:
        raise InputError(f"{path}: a header and no rows")
    if "split" in header:
        _check_splits(path, rows)
    return header, rows


def _check_splits(path: Path, rows: _Rows) -> None:
    empty = [item for item, split in zip(rows.items, rows.splits, strict=True) if not split]
    if empty:
        raise InputError(
            f"{path}: {len(empty)} of {len(rows.items)} items have no split, the first is {empty[0]}; give every item "
            "train, validation or test, or leave the column out to cross-fit by cluster"
        )


def _columns(path: Path, header: Sequence[str], need_targets: bool) -> list[str]:
    needed = ["item", "cluster", "judge", *(["target"] if need_targets else [])]
    missing = [name for name in needed if name not in header]
    probabilities = [name for name in header if _PROBABILITY.fullmatch(name)]
    if missing:
        raise InputError(
            f"{path}: no column {', '.join(missing)}; the header has {', '.join(header) or 'nothing'}"
        )
    if len(set(header)) != len(header):
        raise InputError(f"{path}: a column occurs twice in the header; give each a name of its own")
    if ("score" in header) == bool(probabilities):
        raise InputError(
            f"{path}: give either columns p_1..p_K or a column score, not {'both' if probabilities else 'neither'}"
        )
    if len({float(name[2:]) for name in probabilities}) < len(probabilities):
        raise InputError(f"{path}: two of the columns {', '.join(probabilities)} are of one label; keep one")
    if len(probabilities) == 1:
        raise InputError(
            f"{path}: {probabilities[0]} alone is no distribution; give a column for every label"
        )
    return probabilities or ["score"]


def _take(where: str, line: list[str], header: Sequence[str], wanted: Sequence[str], rows: _Rows) -> None:
    if len(line) != len(header):
        raise InputError(f"{where}: {len(line)} fields where the header has {len(header)}")
    fields = dict(zip(header, line, strict=True))
    item, judge, cluster = (csv_read(fields[name].strip()) for name in ("item", "judge", "cluster"))
    if not (item and judge and cluster):
        raise InputError(f"{where}: item, cluster and judge must not be empty")
    target = (
        _number(where, "target", fields["target"])
        if "target" in fields and fields["target"].strip()
        else float("nan")
    )
    split = fields.get("split", "").strip()
    at = rows.items.setdefault(item, len(rows.items))
    if at == len(rows.clusters):
        rows.clusters.append(cluster)
        rows.targets.append(target)
        rows.splits.append(split)
    same_target = rows.targets[at] == target or (np.isnan(rows.targets[at]) and np.isnan(target))
    if rows.clusters[at] != cluster or rows.splits[at] != split or not same_target:
        raise InputError(
            f"{where}: item {item} has another cluster, target or split in an earlier row; make them agree"
        )
    rows.item_of_row.append(at)
    rows.judge_of_row.append(rows.judges.setdefault(judge, len(rows.judges)))
    rows.values.append(
        [_number(f"{where}, item {item}, judge {judge}", name, fields[name]) for name in wanted]
    )


def _number(where: str, column: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"{where}: {column} is {text!r}, not a number; leave out rows without a score"
        ) from None


def _check_grid(path: Path, values: Floats, grid: Floats) -> None:
    if not np.isfinite(values).all():
        raise InputError(f"{path}: a score is not finite; leave out rows without a score")
    if len(grid) < 2:
        raise InputError(
            f"{path}: every score is {grid[0]:g}; name the label set with --labels, such as --labels 1 2 3 4 5"
        )
    if len(grid) > MAX_LABELS:
        raise InputError(
            f"{path}: {len(grid)} different scores; round them to a label set of {MAX_LABELS} or fewer"
        )
    off = values[~np.isin(values, grid)]
    if len(off):
        raise InputError(f"{path}: score {off[0]:g} is none of the labels {grid.tolist()}")


def _target_range(
    path: Path, targets: Floats, grid: Floats, given: tuple[float, float] | None
) -> tuple[float, float]:
    if not np.isfinite(targets).all():
        raise InputError(
            f"{path}: {int((~np.isfinite(targets)).sum())} items have no finite target; leave them out to fit a pool"
        )
    low, high = float(targets.min()), float(targets.max())
    if given is not None:
        if not given[0] < given[1]:
            raise InputError(f"the target range {given[0]:g} {given[1]:g} is empty; give the lower end first")
        if low < given[0] or high > given[1]:
            raise InputError(
                f"{path}: targets from {low:g} to {high:g} are not on the target range {given[0]:g} {given[1]:g}"
            )
        return given
    if low >= 0.0 and high <= 1.0:
        return 0.0, 1.0
    if low >= grid[0] and high <= grid[-1]:
        return float(grid[0]), float(grid[-1])
    raise InputError(
        f"{path}: targets from {low:g} to {high:g} are neither on [0, 1] nor on the labels' range; give --target-range"
    )
