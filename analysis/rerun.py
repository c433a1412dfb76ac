"""A suite and its re-run: how often each judge's two verdicts agree, and whether any reading changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.bootstrap import N_DRAWS
from analysis.derived import table_order
from analysis.ladder import ladder
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.pairing import Pairing, pair_members
from analysis.suites import Panel, load_panel, record_path
from analysis.values import plain
from raim.errors import InputError
from verdicts.records.files import RecordFile, read_record_file
from verdicts.records.index import IndexRow, read_index
from verdicts.records.schema import Distribution, Record, Run, Verdict
from verdicts.records.suite import read_suite

#: Agreement below which a judge's re-run is flagged (the release's floor).
FLOOR = 0.95
#: The decoding mode of votes that were imported: how they were asked is not recorded.
_IMPORTED = "imported"
#: Why a judge that only one suite has is not compared.
ABSENT = "not in the other suite"

Rows = tuple[list[IndexRow], list[IndexRow]]


def compare_suites(
    first: Path, second: Path, n_draws: int = N_DRAWS, given: Sequence[tuple[str, str]] = ()
) -> dict[str, Any]:
    """Agreement of two suites on the benchmarks and judges that they share, as plain values.

    Judges are found again by what they are, not by their names (:func:`analysis.pairing.pair_members`, which takes
    ``given``); results stand under the first suite's names, with the second's as ``rerun``. ``only_in`` has for either
    suite the members that the other lacks, ``not_compared`` for either suite those that have their votes on a benchmark
    there only, with the reason.

    A judge's agreement is the share of equal verdicts among the items that it committed on in both runs; of a judge
    whose probabilities were recorded in both, the largest difference of any is given too, else None, and of one whose
    replies were the share of replies that are the same to the letter. ``asked_otherwise`` lists
    the settings that differ between a judge's two runs: what then moves is not the hardware's doing alone; None where a
    run's votes were imported, whose settings nobody recorded. The panels'
    verdicts (win, tie, ...) are those of the members that both runs have. ``ran`` says what each suite was computed
    with.

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
    benchmarks = {}
    ran: tuple[set[str], set[str]] = (set(), set())
    for name in shared:
        rows = _same_items(first, second, name)
        frames = [suite.benchmarks[name].frame for suite in suites]
        if frames[0] != frames[1]:
            raise InputError(
                f"{name}: asked under frame {frames[0]!r} and {frames[1]!r}; a re-run has one frame"
            )
        benchmarks[name] = _benchmark(load_panel(first, name), load_panel(second, name), pairing, n_draws)
        for judge, entry in benchmarks[name]["judges"].items():
            files = [
                read_record_file(record_path(folder, name, member))
                for folder, member in zip(folders, (judge, entry["rerun"]), strict=True)
            ]
            entry.update(_of_records(files[0], files[1], rows))
            for seen, file in zip(ran, files, strict=True):
                seen.update(map(_described, file.runs))
    protocols = {member: entry.protocol for member, entry in suites[0].members.items()}
    return {
        "suites": [suite.suite for suite in suites],
        "floor": FLOOR,
        "ran": [sorted(seen) for seen in ran],
        "benchmarks": benchmarks,
        "only_in": {
            "benchmarks": [sorted(set(a.benchmarks) - set(b.benchmarks)) for a, b in (suites, suites[::-1])],
            "members": [dict(only) for only in pairing.only],
        },
        "median_agreement": _medians(benchmarks, protocols),
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


def _benchmark(one: Panel, other: Panel, pairing: Pairing, n_draws: int) -> dict[str, Any]:
    gold = one.votes.gold
    first, second = _by_name(one), _by_name(other)
    judges = {
        name: {"rerun": pairing.pairs[name], **_judge(votes, second[pairing.pairs[name]], gold)}
        for name, votes in first.items()
        if pairing.pairs.get(name) in second
    }
    members = [name for name in one.votes.members if pairing.pairs.get(name) in other.votes.members]
    # Under the first run's names, so that what goes by the order of members goes by one order.
    names = {member: name for name, member in pairing.pairs.items()}
    renamed = replace(other.votes, members=tuple(names.get(member, member) for member in other.votes.members))
    verdicts = [
        ladder(votes.select_members(members), n_draws=n_draws)["verdict"]
        for votes in (one.votes, renamed)
        if members
    ]
    return {
        "n_items": len(gold),
        "judges": judges,
        "not_compared": [
            _not_compared(first, second, pairing.pairs, other.left_out),
            _not_compared(second, first, names, one.left_out),
        ],
        "verdicts": verdicts,
    }


def _not_compared(
    here: Mapping[str, Floats],
    there: Mapping[str, Floats],
    counterparts: Mapping[str, str],
    left_out: Mapping[str, str],
) -> dict[str, str]:
    """Why each judge that voted here has no counterpart that voted there."""
    return {
        name: left_out[counterparts[name]] if name in counterparts else ABSENT
        for name in here
        if counterparts.get(name) not in there
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


def _of_records(first: RecordFile, second: RecordFile, rows: Rows) -> dict[str, Any]:
    """What the records say beside the verdicts: probabilities, replies, settings."""
    runs = [
        [file.records.get(row.content) for row in items]
        for file, items in zip((first, second), rows, strict=True)
    ]
    pairs = [(a, b) for a, b in zip(*runs, strict=True) if a is not None and b is not None]
    return {
        "largest_probability_difference": (
            _largest_difference(pairs) if first.condition.labels == second.condition.labels else None
        ),
        "identical_replies": _identical_replies(pairs),
        "asked_otherwise": _asked_otherwise(first, second),
    }


def _largest_difference(pairs: Sequence[tuple[Record, Record]]) -> float | None:
    """The largest difference between two probabilities of one label on one item; None where none were recorded."""
    shifts = [
        abs(p - q)
        for a, b in pairs
        if isinstance(a.value, Distribution) and isinstance(b.value, Distribution)
        if a.value.probabilities and b.value.probabilities
        for p, q in zip(a.value.probabilities, b.value.probabilities, strict=True)
    ]
    return max(shifts, default=None)


def _identical_replies(pairs: Sequence[tuple[Record, Record]]) -> float | None:
    """Share of the items answered in both runs whose replies are the same text; None where none are known."""
    same = [
        a.value.reply_sha256 == b.value.reply_sha256
        for a, b in pairs
        if isinstance(a.value, Verdict) and isinstance(b.value, Verdict)
        if a.value.reply_sha256 and b.value.reply_sha256
    ]
    return sum(same) / len(same) if same else None


def _asked_otherwise(first: RecordFile, second: RecordFile) -> list[str] | None:
    """Settings whose values differ between the conditions of two runs, by name; None where one has none recorded."""
    one, other = first.condition.as_json(), second.condition.as_json()
    decoding = (one["decoding"], other["decoding"])
    if _IMPORTED in (settings.get("mode") for settings in decoding):
        return None
    differ = [name for name in one if name != "decoding" and one[name] != other[name]]
    names = sorted({*decoding[0], *decoding[1]})
    return differ + [name for name in names if decoding[0].get(name) != decoding[1].get(name)]


def _described(run: Run) -> str:
    """What a run was computed with, in words."""
    packages = ", ".join(f"{name} {version}" for name, version in sorted(run.versions.items()))
    return "; ".join(filter(None, [f"engine {run.engine}", packages, run.hardware]))


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
