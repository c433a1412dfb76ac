"""Suites on disk, made of seeded random votes: real record files, index, description and lock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from verdicts.records.canonical import sha256_text
from verdicts.records.files import write_record_file
from verdicts.records.index import IndexRow, write_index
from verdicts.records.lock import write_lock
from verdicts.records.schema import Condition, Record, Run, Verdict
from verdicts.records.suite import Suite, SuiteBenchmark, SuiteMember, write_suite

RUN = Run("run", "synthetic")


@dataclass(frozen=True)
class Judge:
    """Skill is the probit of being right on an item of middling difficulty; ``only`` restricts it to benchmarks."""

    name: str
    skill: float
    missing: float = 0.02
    role: str = "member"
    only: tuple[str, ...] | None = None


PANEL = (
    Judge("smollm2-135m.constrained", -0.05),
    Judge("gemma-3-270m.constrained", 0.9, missing=0.0),
    Judge("qwen2.5-coder-0.5b.generative", 0.5, missing=0.15),
    Judge("qwen2.5-coder-1.5b.generative", 0.7),
)
FRONTIER = Judge("sonnet", 1.3, missing=0.01, role="frontier")
LARGER = (Judge("qwen2.5-32b", 0.9, role="larger"), Judge("qwen2.5-72b", 1.0, missing=0.0, role="larger"))
TIERS = {"medhallu": "core grounded", "wice": "core grounded", "cnn": "grounded", "factscore": "ungrounded"}


def make_suite(
    folder: Path,
    judges: Sequence[Judge] = PANEL,
    benchmarks: Mapping[str, int] | None = None,
    *,
    label: str = "SIMULATED: no judge was asked",
    seed: int = 0,
) -> Path:
    """Write a suite; ``benchmarks`` gives the number of clusters of each, of two items, one of either class."""
    clusters = benchmarks or {"factscore": 30, "medhallu": 40}
    rng = np.random.default_rng(seed)
    for name, n_clusters in clusters.items():
        rows = [
            IndexRow(f"{i}:{kind}", str(i), int(kind == "neg"), sha256_text(f"{name} {i} {kind}"), "")
            for i in range(n_clusters)
            for kind in ("pos", "neg")
        ]
        write_index(folder / "index" / f"{name}.tsv", rows)
        gold = np.array([row.gold for row in rows])
        difficulty = rng.normal(size=len(rows))
        for judge in judges:
            noise, silent = rng.normal(size=len(rows)), rng.random(len(rows)) < judge.missing
            if judge.only is None or name in judge.only:
                right = judge.skill + 0.7 * difficulty + noise > 0
                votes = np.where(silent, np.nan, np.where(right, gold, 1 - gold))
                write_votes(folder / "records" / name / f"{judge.name}.jsonl.gz", judge.name, rows, votes)
    write_suite(
        folder,
        Suite(
            suite=folder.name,
            title="Synthetic judges",
            label=label,
            benchmarks={
                name: SuiteBenchmark(name.upper(), TIERS.get(name, "grounded"), "def_on", f"items of {name}")
                for name in clusters
            },
            members={
                judge.name: SuiteMember(
                    tag=judge.name.split(".")[0].title(),
                    judge=f"example/{judge.name}",
                    revision="0" * 40,
                    protocol="generative",
                    developer="Example",
                    parameters="1B",
                    licence="Apache-2.0",
                    role=judge.role,
                    benchmarks=judge.only or (),
                )
                for judge in judges
            },
        ),
    )
    write_lock(folder)
    return folder


def write_votes(path: Path, judge: str, rows: Sequence[IndexRow], votes: NDArray[np.float64]) -> None:
    """One record file: votes (n,) of the rows; NaN is an abstention, infinity a record that is not there."""
    condition = Condition("verdict", judge, "0" * 40, "def_on", None, {"mode": "greedy"})
    records = [
        Record(condition.key(row.content, row.content), row.content, row.content, verdict(vote), run="run")
        for row, vote in zip(rows, votes, strict=True)
        if not np.isinf(vote)
    ]
    write_record_file(path, condition, records, [RUN])


def verdict(vote: float) -> Verdict:
    """A verdict as the parser would have read it."""
    read = None if np.isnan(vote) else int(vote)
    return Verdict(read, "unparsed" if read is None else "verdict_line", "stop", 10, 5, "0" * 64)
