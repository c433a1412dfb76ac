"""A suite of released distribution records: real judges' probabilities over score labels.

``<folder>/scores/<dataset>.tsv`` is the scored index of a dataset, ``<folder>/records/<dataset>/*.jsonl.gz`` are the
record files about it, one a judge and condition. Files whose conditions have the same labels make a cell; a file of an
expert's numbers is added to the cell's pool in a follow-up of its own.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from analysis.judgemoe.cell import Cell
from analysis.judgemoe.protocol.ranges import RANGES
from analysis.judgemoe.sources.records import cell_from_records, is_expert
from analysis.judgemoe.studies.suite import FollowUp, PoolSuite
from raim.errors import InputError
from verdicts.records.canonical import digest, sha256_file
from verdicts.records.files import RecordFile, read_record_file
from verdicts.records.scored_index import read_scored_index

NAME = "cpu"


def recorded_suite(folder: Path) -> PoolSuite:
    """The cells of a folder that have two judges or more, by dataset and then by range; all enter the protocol study.

    A judge that is asked in several frames at one range is several judges of the cell, named ``judge#frame``; the
    pool's own frame is the one most files have.
    """
    indices = sorted((folder / "scores").glob("*.tsv"))
    if not indices:
        raise InputError(
            f"{folder}: no scores/<dataset>.tsv; give the folder of a suite of distribution records"
        )
    cells: list[Cell] = []
    followups: list[FollowUp] = []
    paths: list[Path] = [*indices]
    for index in indices:
        files = sorted((folder / "records" / index.stem).glob("*.jsonl.gz"))
        paths += files
        read = [read_record_file(path) for path in files]
        cells += _cells(index, [file for file in read if not is_expert(file)])
        followups += [
            follow_up
            for cell in cells
            if cell.dataset == index.stem
            for file in read
            if is_expert(file) and (follow_up := _follow_up(index, cell, read, file)) is not None
        ]
    pooled = tuple(cell for cell in cells if len(cell.judges) > 1)
    if not pooled:
        raise InputError(f"{folder}: no dataset has two judges at one score range; there is nothing to pool")
    names = frozenset(cell.name for cell in pooled)
    ranges = {cell.scale for cell in cells}
    lacking = {
        "compute": "records do not hold the judges' sizes",
    }
    if not followups:
        lacking["experts"] = "no expert has been scored on the same items"
    if len(ranges & set(RANGES)) < 2:
        lacking["protocol"] = "the judges were asked at one score range"
    styled = tuple(cell for cell in cells if any("#" in judge for judge in cell.judges))
    if not styled:
        lacking |= dict.fromkeys(("styles", "diversity"), "each judge was asked in one wording")
    return PoolSuite(
        name=NAME,
        title="JudgeMoE on small CPU judges",
        label="Small CPU judges, not the paper's.",
        records=digest([sha256_file(path) for path in paths]),
        cells=pooled,
        ablations=names,
        protocol=tuple(cells),
        styles=styled,
        followups=tuple(followups),
        pairwise=names,
        skipped=lacking,
    )


def _cells(index: Path, files: list[RecordFile]) -> list[Cell]:
    if not files:
        raise InputError(f"{index}: no records/{index.stem}/*.jsonl.gz beside it; judge the dataset first")
    items = read_scored_index(index)
    by_labels: dict[tuple[str, ...], list[RecordFile]] = {}
    for file in files:
        by_labels.setdefault(file.condition.labels or (), []).append(file)
    cells = []
    for labels, group in sorted(by_labels.items(), key=lambda entry: (len(entry[0]), entry[0])):
        if not labels:
            raise InputError(
                f"{index}: a file of records/{index.stem} holds verdicts; a pool needs distributions"
            )
        named = _named(group)
        if len(named) != len(group):
            raise InputError(
                f"{index}: two files of records/{index.stem} are of one judge, frame and label set"
            )
        cells.append(cell_from_records(index.stem, f"{labels[0]}-{labels[-1]}", items, named))
    return cells


def _named(group: list[RecordFile]) -> dict[str, RecordFile]:
    """The files of a cell by judge; a judge that was asked in several frames is several judges."""
    asked = Counter(file.condition.judge for file in group)
    return {
        f"{c.judge}#{c.frame}" if asked[c.judge] > 1 else c.judge: file
        for file in group
        for c in [file.condition]
    }


def _follow_up(index: Path, cell: Cell, files: list[RecordFile], expert: RecordFile) -> FollowUp | None:
    """The cell's pool with the expert's numbers added, over the cell's items; None where it has none of them.

    A cell of one judge has no pool, and labels other than the cell's are another range's.
    """
    labels = expert.condition.labels or ()
    if f"{labels[0]}-{labels[-1]}" != cell.scale or len(cell.judges) < 2:
        return None
    pool = _named([file for file in files if not is_expert(file) and file.condition.labels == labels])
    items = [item for item in read_scored_index(index) if item.uid in set(cell.items)]
    if not any(item.content in expert.records for item in items):
        return None
    name = expert.condition.judge
    added = f"{cell.dataset}+{name.rpartition('/')[2]}"
    extended = cell_from_records(added, cell.scale, items, {**pool, name: expert}, name)
    return FollowUp(extended.name, extended, cell.judges, name)
