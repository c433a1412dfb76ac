"""One dataset of a folder of released records, range by range: what each record file of it is for.

What a file is for follows from its member's role in ``suite.json``, from its condition and from the dataset's items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from analysis.judgemoe.cell import SPLITS, Cell
from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.sources.preferences import is_paired, with_splits
from analysis.judgemoe.sources.records import cell_from_records, is_expert, style_of
from analysis.judgemoe.studies.suite import Evaluator
from raim.errors import InputError
from verdicts.records.files import RecordFile, read_condition, read_record_file
from verdicts.records.scored_index import ScoredItem, read_scored_index

_ENDING = ".jsonl.gz"


@dataclass(frozen=True, eq=False)
class RangeRecords:
    """What a dataset holds at one range; None or empty where it holds none of it.

    Attributes
    ----------
    pool : the judges in the default style.
    preferences : the same, where the items are the sides of human preferences: there is no pool then.
    styles : the judges that were asked in several styles, as ``judge#style``.
    experts : the pool with an expert added, and the expert's name.
    evaluators : judges that are no members of the pool.
    """

    pool: Cell | None = None
    preferences: Cell | None = None
    styles: Cell | None = None
    experts: tuple[tuple[Cell, str], ...] = ()
    evaluators: tuple[Evaluator, ...] = ()


def record_files(index: Path) -> list[Path]:
    """The record files about the dataset of a scored index, ``<folder>/scores/<dataset>.tsv``."""
    return sorted((index.parents[1] / "records" / index.stem).glob(f"*{_ENDING}"))


def read_ranges(index: Path, roles: Mapping[str, str]) -> Iterator[RangeRecords]:
    """What a dataset holds, the coarsest range first. ``roles`` are those of the suite's members.

    Raises InputError that names the file, where there are no records, where one is of verdicts or of no member, and
    where the items have splits that are not those of a pool.
    """
    items = read_scored_index(index)
    paired = is_paired(items)
    splits = {item.split for item in items if item.split is not None}
    if splits and not paired and splits != set(SPLITS):
        raise InputError(
            f"{index}: has the splits {', '.join(sorted(splits))}; a pool needs {', '.join(SPLITS)}, or none, so that "
            f"they are made by cluster"
        )
    by_labels: dict[tuple[str, ...], list[Path]] = {}
    for path in record_files(index):
        if path.name.removesuffix(_ENDING) not in roles:
            raise InputError(f"{path}: is of no member that suite.json describes; export the suite again")
        by_labels.setdefault(read_condition(path).labels or (), []).append(path)
    if not by_labels:
        raise InputError(f"{index}: no records/{index.stem}/*.jsonl.gz beside it; judge the dataset first")
    for labels, paths in sorted(by_labels.items(), key=lambda entry: (len(entry[0]), entry[0])):
        if not labels:
            raise InputError(
                f"{index}: a file of records/{index.stem} holds verdicts; a pool needs distributions"
            )
        # One range at a time: the records of all may be more than the memory holds.
        files = [(roles[path.name.removesuffix(_ENDING)], read_record_file(path)) for path in paths]
        yield _range(index, f"{labels[0]}-{labels[-1]}", items, files, paired=paired)


def _range(
    index: Path, scale: str, items: list[ScoredItem], files: list[tuple[str, RecordFile]], *, paired: bool
) -> RangeRecords:
    asked = [(role, file) for role, file in files if not is_expert(file.condition)]
    judges = [file for role, file in asked if role == "member"]
    pool = _by_judge(index, [file for file in judges if style_of(file.condition) == "default"])
    if paired:
        cell = cell_from_records(index.stem, scale, with_splits(items), pool) if pool else None
        return RangeRecords(preferences=cell)
    cell = cell_from_records(index.stem, scale, items, pool) if pool else None
    experts = [file for _, file in files if is_expert(file.condition)]
    larger = [file for role, file in asked if role != "member"]
    return RangeRecords(
        pool=cell,
        styles=_styles(index, scale, items, judges),
        experts=() if cell is None else _with_experts(cell, items, pool, experts),
        evaluators=() if cell is None else tuple(_evaluator(cell, items, file) for file in larger),
    )


def _styles(index: Path, scale: str, items: list[ScoredItem], judges: list[RecordFile]) -> Cell | None:
    several = {file.condition.judge for file in judges if style_of(file.condition) != "default"}
    styled = [file for file in judges if file.condition.judge in several]
    # A dataset of its own name: its gates are others than the pool's.
    name = f"styles-{index.stem}"
    return cell_from_records(name, scale, items, _by_judge(index, styled, styled=True)) if styled else None


def _by_judge(index: Path, files: list[RecordFile], *, styled: bool = False) -> dict[str, RecordFile]:
    named = {
        f"{c.judge}#{style_of(c)}" if styled else c.judge: file for file in files for c in [file.condition]
    }
    if len(named) != len(files):
        raise InputError(f"{index}: two files of records/{index.stem} are of one judge, style and label set")
    return named


def _with_experts(
    cell: Cell, items: list[ScoredItem], pool: Mapping[str, RecordFile], experts: list[RecordFile]
) -> tuple[tuple[Cell, str], ...]:
    """A cell of one judge has no pool to add an expert to; an expert that scored none of its items adds nothing."""
    if len(cell.judges) < 2:
        return ()
    judged = set(cell.items)
    kept = [item for item in items if item.uid in judged]
    found = []
    for file in experts:
        if any(item.content in file.records for item in kept):
            name = file.condition.judge
            added = f"{cell.dataset}+{name.rpartition('/')[2]}"
            found.append((cell_from_records(added, cell.scale, kept, {**pool, name: file}, name), name))
    return tuple(found)


def _evaluator(cell: Cell, items: list[ScoredItem], file: RecordFile) -> Evaluator:
    name = file.condition.judge
    own = cell_from_records(cell.dataset, cell.scale, items, {name: file})
    scores = dict(zip(own.items, soft_scores(own)[:, 0].tolist(), strict=True))
    return Evaluator(name, cell, np.array([scores.get(item, np.nan) for item in cell.items]))
