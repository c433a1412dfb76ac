"""A small released suite with simulated verdicts, written by the project's own writers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from analysis.votes import VoteMatrix
from tests.analysis.simulate import simulate
from verdicts.records.canonical import sha256_text
from verdicts.records.files import write_record_file
from verdicts.records.index import IndexRow, write_index
from verdicts.records.lock import write_lock
from verdicts.records.schema import Condition, Record, Run, Verdict
from verdicts.records.suite import Suite, SuiteBenchmark, SuiteMember, write_suite

BENCHMARKS = {"factscore": 1, "medhallu": 2}


def write_toy_suite(folder: Path) -> None:
    """Two benchmarks with six members each; one member is not asked about the second."""
    panels = {name: simulate(seed) for name, seed in BENCHMARKS.items()}
    members = panels["factscore"].members
    for name, votes in panels.items():
        _write_benchmark(folder, name, votes)
    (folder / "records" / "medhallu" / f"{members[-1]}.jsonl.gz").unlink()
    write_suite(
        folder,
        Suite(
            "toy",
            "Toy suite",
            "SIMULATED.",
            {name: SuiteBenchmark(name.title(), "ungrounded", "def_on") for name in BENCHMARKS},
            {name: SuiteMember(name.title(), f"toy/{name}", "0", "generative") for name in members},
        ),
    )
    write_lock(folder)


def _write_benchmark(folder: Path, name: str, votes: VoteMatrix) -> None:
    contents = [sha256_text(f"{name} {uid}") for uid in votes.uids]
    write_index(
        folder / "index" / f"{name}.tsv",
        [
            IndexRow(uid, votes.clusters[cluster], int(gold), content, "")
            for uid, cluster, gold, content in zip(
                votes.uids, votes.cluster, votes.gold, contents, strict=True
            )
        ],
    )
    for column, member in enumerate(votes.members):
        condition = Condition("verdict", f"toy/{member}", "0", "def_on/1", None, {"mode": "greedy"})
        records = []
        for content, vote in zip(contents, votes.votes[:, column], strict=True):
            verdict = None if np.isnan(vote) else int(vote)
            value = Verdict(verdict, "unparsed" if verdict is None else "line", "stop", 9, 3, sha256_text(""))
            records.append(Record(condition.key(content, content), content, content, value, "run"))
        path = folder / "records" / name / f"{member}.jsonl.gz"
        write_record_file(path, condition, records, [Run("run", "simulated")])
