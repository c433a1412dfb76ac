"""A suite and its re-run: how often each judge's two answers agree, and whether any reading changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.estimators.ladder import ladder
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.panel.suites import Panel, load_panel, record_path
from analysis.pipeline.derived import table_order
from analysis.rerun.pairing import Pairing, pair_members
from analysis.rerun.records import (
    asked_otherwise,
    described,
    identical_replies,
    largest_difference,
    not_compared,
    record_pairs,
)
from analysis.rerun.scores import compare_scores
from analysis.statistics.bootstrap import N_DRAWS
from analysis.values import plain
from raim.errors import InputError
from verdicts.records.files import RecordFile, read_record_file
from verdicts.records.index import IndexRow, read_index
from verdicts.records.suite import SCORES, read_suite

#: Agreement below which a judge's re-run is flagged (the release's floor).
FLOOR = 0.95

Rows = tuple[list[IndexRow], list[IndexRow]]


def compare_suites(
    first: Path, second: Path, n_draws: int = N_DRAWS, given: Sequence[tuple[str, str]] = ()
) -> dict[str, Any]:
    """Agreement of two suites on the benchmarks and judges that they share, as plain values.

    Judges are found again by what they are, not by their names (:func:`.pairing.pair_members`, which takes
    ``given``); results stand under the first suite's names, with the second's as ``rerun``. ``only_in`` has for either
    suite the members that the other lacks, ``not_compared`` for either suite those that have their votes on a benchmark
    there only, with the reason.

    A judge's agreement is the share of equal verdicts among the items that it committed on in both runs; of a judge
    whose probabilities were recorded in both, the largest difference of any is given too, else None, and of one whose
    replies were the share of replies that are the same to the letter. ``asked_otherwise`` lists
    the settings that differ between a judge's two runs: what then moves is not the hardware's doing alone; None where a
    run's votes were imported, whose settings nobody recorded. The panels' verdicts (win, tie, ...) are those of the
    members that both runs have. ``ran`` says what each suite was computed with. Datasets of scores stand apart, under
    ``scores`` (:mod:`analysis.rerun.scores`).

    Raises
    ------
    InputError
        If a suite cannot be read, they share no benchmark or no judge, who is whose is ambiguous, or one's items, gold,
        clusters or frame differ.
    """
    folders = (first, second)
    suites = (read_suite(first), read_suite(second))
    shared = table_order(set(suites[0].benchmarks) & set(suites[1].benchmarks))
    if not shared:
        raise InputError(f"{first} and {second} share no benchmark: give a suite and its re-run")
    pairing = pair_members(*suites, given)
    benchmarks: dict[str, Any] = {}
    scores: dict[str, Any] = {}
    ran: tuple[set[str], set[str]] = (set(), set())
    for name in shared:
        entries = [suite.benchmarks[name] for suite in suites]
        if entries[0].frame != entries[1].frame:
            raise InputError(
                f"{name}: asked under frame {entries[0].frame!r} and {entries[1].frame!r}; a re-run has one frame"
            )
        if entries[0].tier == SCORES:
            scores[name], files = compare_scores(folders, suites, name, pairing)
        else:
            benchmarks[name], files = _benchmark(folders, name, pairing, n_draws)
        for compared in files.values():
            for seen, file in zip(ran, compared, strict=True):
                seen.update(map(described, file.runs))
    protocols = {member: entry.protocol for member, entry in suites[0].members.items()}
    return {
        "suites": [suite.suite for suite in suites],
        "floor": FLOOR,
        "ran": [sorted(seen) for seen in ran],
        "benchmarks": benchmarks,
        "scores": scores,
        "only_in": {
            "benchmarks": [sorted(set(a.benchmarks) - set(b.benchmarks)) for a, b in (suites, suites[::-1])],
            "members": [dict(only) for only in pairing.only],
        },
        "median_agreement": _medians(benchmarks, protocols),
        "median_agreement_of_scores": _medians(scores, protocols),
        "changed_verdicts": [
            name
            for name, entry in benchmarks.items()
            if entry["verdicts"] and len(set(entry["verdicts"])) > 1
        ],
    }


def _same_items(first: Path, second: Path, benchmark: str) -> Rows:
    """The items of both suites in one order, once they are the same.

    An index that lacks an item's text (of an import) or its join key is compared on what else it says.
    """
    rows = tuple(read_index(folder / "index" / f"{benchmark}.tsv") for folder in (first, second))
    items = [{row.uid: row for row in run} for run in rows]
    if set(items[0]) != set(items[1]):
        odd = sorted(set(items[0]) ^ set(items[1]))
        raise InputError(
            f"{benchmark}: {len(odd)} items are in one suite only, such as {odd[0]!r}; judge the same items"
        )
    for uid, row in items[0].items():
        other = items[1][uid]
        if (
            (row.cluster, row.gold) != (other.cluster, other.gold)
            or (row.has_text and other.has_text and row.content != other.content)
            or (row.join and other.join and row.join != other.join)
        ):
            raise InputError(
                f"{benchmark}: item {uid!r} differs in content, gold or cluster between the suites"
            )
    return rows[0], [items[1][row.uid] for row in rows[0]]


def _benchmark(
    folders: tuple[Path, Path], name: str, pairing: Pairing, n_draws: int
) -> tuple[dict[str, Any], dict[str, tuple[RecordFile, RecordFile]]]:
    """The comparison of one benchmark of verdicts, and the compared judges' record files."""
    rows = _same_items(*folders, name)
    one, other = (load_panel(folder, name) for folder in folders)
    first, second = _by_name(one), _by_name(other)
    contents = ([row.content for row in rows[0]], [row.content for row in rows[1]])
    judges: dict[str, dict[str, Any]] = {}
    compared: dict[str, tuple[RecordFile, RecordFile]] = {}
    for judge, votes in first.items():
        rerun = pairing.pairs.get(judge)
        if rerun not in second:
            continue
        files = tuple(
            read_record_file(record_path(folder, name, member))
            for folder, member in zip(folders, (judge, rerun), strict=True)
        )
        compared[judge] = files[0], files[1]
        judges[judge] = {
            "rerun": rerun,
            **_judge(votes, second[rerun], one.votes.gold),
            **_of_records(compared[judge], contents),
        }
    members = [judge for judge in one.votes.members if pairing.pairs.get(judge) in other.votes.members]
    # Under the first run's names, so that what goes by the order of members goes by one order.
    names = {member: judge for judge, member in pairing.pairs.items()}
    renamed = replace(other.votes, members=tuple(names.get(member, member) for member in other.votes.members))
    verdicts = [
        ladder(votes.select_members(members), n_draws=n_draws)["verdict"]
        for votes in (one.votes, renamed)
        if members
    ]
    return {
        "n_items": len(one.votes.gold),
        "judges": judges,
        "not_compared": [
            not_compared(first, second, pairing.pairs, other.left_out),
            not_compared(second, first, names, one.left_out),
        ],
        "verdicts": verdicts,
    }, compared


def _of_records(
    files: tuple[RecordFile, RecordFile], contents: tuple[list[str], list[str]]
) -> dict[str, Any]:
    pairs = record_pairs(files, contents)
    one_set = files[0].condition.labels == files[1].condition.labels
    return {
        "largest_probability_difference": largest_difference(pairs) if one_set else None,
        "identical_replies": identical_replies(pairs),
        "asked_otherwise": asked_otherwise(*files),
    }


def _by_name(panel: Panel) -> dict[str, Floats]:
    members = {name: panel.votes.votes[:, column] for column, name in enumerate(panel.votes.members)}
    return members | {
        name: np.where(np.isinf(votes), np.nan, votes) for name, votes in panel.comparators.items()
    }


def _judge(first: Floats, second: Floats, gold: Ints) -> dict[str, Any]:
    both = ~np.isnan(first) & ~np.isnan(second)
    scores = confusion(np.column_stack([first, second]), gold)
    agreement = float((first == second)[both].mean()) if both.any() else None
    return {
        "n_both": int(both.sum()),
        "agreement": agreement,
        "flagged": agreement is None or agreement < FLOOR,
        "kappas": [plain(value) for value in kappa(scores)],
        "coverages": [float((~np.isnan(votes)).mean()) for votes in (first, second)],
        **({} if agreement is not None else {"reason": "no item that both runs committed on"}),
    }


def _medians(benchmarks: Mapping[str, Any], protocols: Mapping[str, str]) -> dict[str, Any]:
    """By protocol, the median agreement over judges and benchmarks."""
    found: dict[str, list[float]] = {}
    for entry in benchmarks.values():
        for name, judge in entry["judges"].items():
            if judge["agreement"] is not None:
                found.setdefault(protocols[name], []).append(judge["agreement"])
    return {
        protocol: {"median": float(np.median(values)), "cells": len(values)}
        for protocol, values in found.items()
    }
