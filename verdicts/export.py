"""Export a suite from the store: its description, index, record files without raw replies, and lock."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from verdicts.benchmarks.compare import index_rows
from verdicts.benchmarks.items import Item
from verdicts.benchmarks.spec import Benchmark
from verdicts.judges.roster import Judge
from verdicts.plan import Member, Plan, Sample
from verdicts.records.files import write_record_file
from verdicts.records.index import write_index
from verdicts.records.lock import write_lock
from verdicts.records.schema import Condition, Record, Run
from verdicts.records.suite import Suite, SuiteBenchmark, SuiteMember, write_suite
from verdicts.runs import condition_of, requests_of
from verdicts.store import Store

#: What every caption says of a suite of judged records.
LABEL = "measured"


def export_suite(
    plan: Plan,
    benchmarks: Sequence[tuple[Benchmark, Sequence[Item]]],
    members: Sequence[tuple[Member, Judge, Mapping[str, Any] | None]],
    store: Store,
    folder: Path,
) -> dict[str, tuple[int, int]]:
    """Write the suite's folder; returns for each record file how many of the benchmark's items it covers.

    A member that has judged nothing of a benchmark gets no file there. What lies in the folder from an earlier
    export is replaced as a whole.
    """
    shutil.rmtree(folder / "records", ignore_errors=True)
    shutil.rmtree(folder / "index", ignore_errors=True)
    covered: dict[str, tuple[int, int]] = {}
    shards: dict[str, tuple[dict[str, Record], list[Run]]] = {}
    for benchmark, items in benchmarks:
        write_index(folder / "index" / f"{benchmark.name}.tsv", index_rows(items))
        for member, judge, chat in members:
            if not member.judges(benchmark.name):
                continue
            condition = condition_of(member, judge, chat, benchmark.frame, plan.settings)
            if condition.digest not in shards:
                shards[condition.digest] = _shard(store, condition)
            records, runs = shards[condition.digest]
            wanted = requests_of(condition, benchmark, items)
            found = [records[request.key] for request in wanted if request.key in records]
            name = f"records/{benchmark.name}/{member.name}.jsonl.gz"
            covered[name] = (len(found), len(wanted))
            if found:
                write_record_file(folder / name, condition, found, runs)
    write_suite(folder, describe(plan, [benchmark for benchmark, _ in benchmarks], members))
    write_lock(folder)
    return covered


def describe(
    plan: Plan,
    benchmarks: Sequence[Benchmark],
    members: Sequence[tuple[Member, Judge, Mapping[str, Any] | None]],
) -> Suite:
    """The suite's description from its plan."""
    return Suite(
        suite=plan.suite,
        title=plan.title,
        label=LABEL,
        benchmarks={
            benchmark.name: SuiteBenchmark(
                title=benchmark.title,
                tier=benchmark.tier,
                frame=benchmark.frame,
                content=benchmark.content,
                sampled=_sampled(plan.benchmarks[benchmark.name]),
            )
            for benchmark in benchmarks
        },
        members={
            member.name: SuiteMember(
                tag=f"{judge.tag} ({member.protocol})",
                judge=judge.judge,
                revision=judge.revision,
                protocol=member.protocol,
                developer=judge.developer,
                parameters=judge.parameters,
                licence=judge.licence,
            )
            for member, judge, _ in members
        },
    )


def _sampled(sample: Sample) -> str:
    return "" if sample.clusters is None else f"{sample.clusters} clusters, seed {sample.seed}"


def _shard(store: Store, condition: Condition) -> tuple[dict[str, Record], list[Run]]:
    shard = store.shard(condition)
    # The host a run was made on is the user's own affair; what it computed with is the record's.
    return {record.key: record for record in shard.records()}, [
        replace(run, started="") for run in shard.runs()
    ]
