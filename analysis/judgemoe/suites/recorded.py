"""A suite of released distribution records: real judges' probabilities over score labels.

``<folder>/scores/<dataset>.tsv`` is the scored index of a dataset, ``<folder>/records/<dataset>/*.jsonl.gz`` are the
record files about it, one a judge and condition. Files whose conditions have the same labels make a cell.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from analysis.judgemoe.cell import Cell
from analysis.judgemoe.protocol.ranges import RANGES
from analysis.judgemoe.sources.records import cell_from_records
from analysis.judgemoe.studies.suite import PoolSuite
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
    paths: list[Path] = [*indices]
    for index in indices:
        files = sorted((folder / "records" / index.stem).glob("*.jsonl.gz"))
        paths += files
        cells += _cells(index, [read_record_file(path) for path in files])
    pooled = tuple(cell for cell in cells if len(cell.judges) > 1)
    if not pooled:
        raise InputError(f"{folder}: no dataset has two judges at one score range; there is nothing to pool")
    names = frozenset(cell.name for cell in pooled)
    ranges = {cell.scale for cell in cells}
    lacking = {
        "experts": "no expert has been scored on the same items",
        "compute": "records do not hold the judges' sizes",
    }
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
        asked = Counter(file.condition.judge for file in group)
        named = {
            f"{c.judge}#{c.frame}" if asked[c.judge] > 1 else c.judge: file
            for file in group
            for c in [file.condition]
        }
        if len(named) != len(group):
            raise InputError(
                f"{index}: two files of records/{index.stem} are of one judge, frame and label set"
            )
        cells.append(cell_from_records(index.stem, f"{labels[0]}-{labels[-1]}", items, named))
    return cells
