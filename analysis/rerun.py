"""A suite and its re-run: how often each judge's two verdicts agree, and whether any reading changes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.bootstrap import N_DRAWS
from analysis.derived import table_order
from analysis.ladder import ladder
from analysis.metrics.confusion import confusion
from analysis.metrics.kappa import kappa
from analysis.suites import Panel, load_panel, record_path
from analysis.values import plain
from raim.errors import InputError
from verdicts.records.files import RecordFile, read_record_file
from verdicts.records.index import read_index
from verdicts.records.schema import Distribution, Run, Verdict
from verdicts.records.suite import read_suite

#: Agreement below which a judge's re-run is flagged (the release's floor).
FLOOR = 0.95


def compare_suites(first: Path, second: Path, n_draws: int = N_DRAWS) -> dict[str, Any]:
    """Agreement of two suites on the benchmarks and judges that they share, as plain values.

    A judge's agreement is the share of equal verdicts among the items that it committed on in both runs; of a judge
    whose probabilities were recorded, the largest difference of any is given too, else None, and of one that
    replied the share of replies that are the same to the letter. ``asked_otherwise`` lists
    the settings that differ between a judge's two runs: what then moves is not the hardware's doing alone. The panels'
    verdicts (win, tie, ...) are those of the members that both runs have. ``ran`` says what each suite was computed
    with.

    Raises
    ------
    InputError
        If a suite cannot be read, they share no benchmark, or one's items, gold, clusters or frame differ.
    """
    suites = [read_suite(folder) for folder in (first, second)]
    shared = table_order(set(suites[0].benchmarks) & set(suites[1].benchmarks))
    if not shared:
        raise InputError(f"{first} and {second} share no benchmark: give a suite and its re-run")
    benchmarks = {}
    ran: tuple[set[str], set[str]] = (set(), set())
    for name in shared:
        _require_same(first, second, name)
        frames = [suite.benchmarks[name].frame for suite in suites]
        if frames[0] != frames[1]:
            raise InputError(
                f"{name}: asked under frame {frames[0]!r} and {frames[1]!r}; a re-run has one frame"
            )
        benchmarks[name] = _benchmark(load_panel(first, name), load_panel(second, name), n_draws)
        for judge, entry in benchmarks[name]["judges"].items():
            files = [read_record_file(record_path(folder, name, judge)) for folder in (first, second)]
            entry["largest_probability_difference"] = _largest_difference(*files)
            entry["identical_replies"] = _identical_replies(*files)
            entry["asked_otherwise"] = _asked_otherwise(*files)
            for seen, file in zip(ran, files, strict=True):
                seen.update(map(_described, file.runs))
    protocols = {member: entry.protocol for member, entry in suites[0].members.items()}
    return {
        "suites": [suite.suite for suite in suites],
        "floor": FLOOR,
        "ran": [sorted(seen) for seen in ran],
        "benchmarks": benchmarks,
        "only_in_one": sorted(set(suites[0].benchmarks) ^ set(suites[1].benchmarks)),
        "median_agreement": _medians(benchmarks, protocols),
        "changed_verdicts": [
            name
            for name, entry in benchmarks.items()
            if entry["verdicts"] and len(set(entry["verdicts"])) > 1
        ],
    }


def _require_same(first: Path, second: Path, benchmark: str) -> None:
    rows = [read_index(folder / "index" / f"{benchmark}.tsv") for folder in (first, second)]
    items = [{row.uid: row for row in run} for run in rows]
    if set(items[0]) != set(items[1]):
        odd = sorted(set(items[0]) ^ set(items[1]))
        raise InputError(
            f"{benchmark}: {len(odd)} items are in one suite only, such as {odd[0]!r}; judge the same items"
        )
    for uid, row in items[0].items():
        if row != items[1][uid]:
            raise InputError(
                f"{benchmark}: item {uid!r} differs in content, gold or cluster between the suites"
            )


def _benchmark(one: Panel, other: Panel, n_draws: int) -> dict[str, Any]:
    gold = one.votes.gold
    first, second = _by_name(one), _by_name(other)
    judges = {name: _judge(first[name], second[name], gold) for name in first if name in second}
    members = [name for name in one.votes.members if name in other.votes.members]
    verdicts = [
        ladder(panel.votes.select_members(members), n_draws=n_draws)["verdict"]
        for panel in (one, other)
        if members
    ]
    return {
        "n_items": len(gold),
        "judges": judges,
        "only_in_one": sorted(set(first) ^ set(second)),
        "verdicts": verdicts,
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


def _largest_difference(first: RecordFile, second: RecordFile) -> float | None:
    """The largest difference between two probabilities of one label on one item; None where none were recorded."""
    runs = [
        {item: r.value.probabilities for item, r in file.records.items() if isinstance(r.value, Distribution)}
        for file in (first, second)
    ]
    pairs = [(runs[0][item], runs[1][item]) for item in runs[0].keys() & runs[1].keys()]
    shifts = [abs(a - b) for one, other in pairs if one and other for a, b in zip(one, other, strict=True)]
    return max(shifts, default=None)


def _identical_replies(first: RecordFile, second: RecordFile) -> float | None:
    """Share of the items answered in both runs whose replies are the same text; None where none were generated."""
    runs = [
        {item: r.value.reply_sha256 for item, r in file.records.items() if isinstance(r.value, Verdict)}
        for file in (first, second)
    ]
    same = [runs[0][item] == runs[1][item] for item in runs[0].keys() & runs[1].keys()]
    return sum(same) / len(same) if same else None


def _asked_otherwise(first: RecordFile, second: RecordFile) -> list[str]:
    """Settings whose values differ between the conditions of two runs, by name."""
    one, other = first.condition.as_json(), second.condition.as_json()
    differ = [name for name in one if name != "decoding" and one[name] != other[name]]
    decoding = (one["decoding"], other["decoding"])
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
