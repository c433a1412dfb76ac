"""A dataset of scores in a suite and its re-run: how often a judge's most probable label is the same, and what moves.

The paper compares verdicts only; of scores there is no floor below which a judge would be flagged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.metrics.spearman import spearman
from analysis.panel.suites import NOT_ASKED, record_path
from analysis.rerun.pairing import Pairing
from analysis.rerun.records import asked_otherwise, largest_difference, not_compared, record_pairs
from analysis.values import plain
from raim.errors import InputError
from verdicts.records.files import RecordFile, read_record_file
from verdicts.records.schema import Distribution
from verdicts.records.scored_index import ScoredItem, read_scored_index
from verdicts.records.suite import Suite

#: Why a judge that has probabilities of a dataset in both suites is not compared.
OTHER_LABELS = "asked for other labels"

Items = tuple[list[ScoredItem], list[ScoredItem]]


def compare_scores(
    folders: tuple[Path, Path], suites: tuple[Suite, Suite], name: str, pairing: Pairing
) -> tuple[dict[str, Any], dict[str, tuple[RecordFile, RecordFile]]]:
    """The comparison of one dataset as plain values, and the compared judges' record files.

    A judge's ``agreement`` is the share of items scored in both runs whose most probable label (the first of equal
    ones) is the same; ``mean_shift`` the mean absolute difference of its expected score, labels standing evenly on
    [0, 1]; ``spearmans`` the rank correlation of the expected score with the human score, of either run over its items.

    Raises InputError where items, clusters or human scores of the two suites differ.
    """
    items = _same_items(folders, name)
    files = [
        {
            member: read_record_file(path)
            for member in suite.members
            if (path := record_path(folder, name, member)).exists()
        }
        for folder, suite in zip(folders, suites, strict=True)
    ]
    judges: dict[str, dict[str, Any]] = {}
    compared: dict[str, tuple[RecordFile, RecordFile]] = {}
    reasons = tuple(_no_records(suite, name, len(items[0])) for suite in suites)
    for member, file in files[0].items():
        counterpart = pairing.pairs.get(member, "")
        if counterpart not in files[1]:
            continue
        other = files[1][counterpart]
        if file.condition.labels != other.condition.labels:
            reasons[0][member] = reasons[1][counterpart] = OTHER_LABELS
            continue
        judges[member] = {"rerun": counterpart, **_judge((file, other), items)}
        compared[member] = (file, other)
    names = {member: name for name, member in pairing.pairs.items()}
    there = {entry["rerun"] for entry in judges.values()}
    return {
        "n_items": len(items[0]),
        "judges": judges,
        "not_compared": [
            not_compared(files[0], dict.fromkeys(there), pairing.pairs, reasons[1]),
            not_compared(files[1], judges, names, reasons[0]),
        ],
    }, compared


def _no_records(suite: Suite, name: str, items: int) -> dict[str, str]:
    return {
        member: NOT_ASKED
        if entry.benchmarks and name not in entry.benchmarks
        else f"missing: 0 of {items} items judged"
        for member, entry in suite.members.items()
    }


def _same_items(folders: Sequence[Path], name: str) -> Items:
    """The items of both suites in one order, once they are the same."""
    rows = [read_scored_index(folder / "scores" / f"{name}.tsv") for folder in folders]
    first, second = ({row.uid: row for row in run} for run in rows)
    if odd := sorted(set(first) ^ set(second)):
        raise InputError(
            f"{name}: {len(odd)} items are in one suite only, such as {odd[0]!r}; judge the same items"
        )
    for uid, row in first.items():
        if row != second[uid]:
            raise InputError(
                f"{name}: item {uid!r} differs in content, human score, cluster or split between the suites"
            )
    return rows[0], [second[row.uid] for row in rows[0]]


def _judge(files: tuple[RecordFile, RecordFile], items: Items) -> dict[str, Any]:
    labels, expected = zip(
        *(_scores(file, rows) for file, rows in zip(files, items, strict=True)), strict=True
    )
    targets = np.array([item.target for item in items[0]])
    both = np.isfinite(expected[0]) & np.isfinite(expected[1])
    contents = ([item.content for item in items[0]], [item.content for item in items[1]])
    agreement = float((labels[0] == labels[1])[both].mean()) if both.any() else None
    return {
        "n_both": int(both.sum()),
        "agreement": agreement,
        "mean_shift": float(np.abs(expected[0] - expected[1])[both].mean()) if both.any() else None,
        "spearmans": [plain(spearman(values, targets)) for values in expected],
        "coverages": [float(np.isfinite(values).mean()) for values in expected],
        "largest_probability_difference": largest_difference(record_pairs(files, contents)),
        "asked_otherwise": asked_otherwise(*files),
        **({} if agreement is not None else {"reason": "no item that both runs scored"}),
    }


def _scores(file: RecordFile, items: Sequence[ScoredItem]) -> tuple[Floats, Floats]:
    """(n,) places of the most probable label and (n,) expected scores on [0, 1]; NaN where there is no score."""
    records: Mapping[str, Any] = file.records
    places = np.linspace(0.0, 1.0, len(file.condition.labels or ()))
    found = np.full((len(items), 2), np.nan)
    for number, item in enumerate(items):
        record = records.get(item.content)
        if record is not None and isinstance(record.value, Distribution) and record.value.probabilities:
            p = np.array(record.value.probabilities)
            found[number] = p.argmax(), p @ places
    return found[:, 0], found[:, 1]
