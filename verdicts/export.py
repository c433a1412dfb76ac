"""Export a suite from the store: its description, index, record files without raw replies, and lock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.asked import Asked, Subject
from verdicts.judges.chat import recorded_chat
from verdicts.judges.roster import Judge
from verdicts.plan import Member, Plan, Sample
from verdicts.readings import reread
from verdicts.records.files import write_record_file
from verdicts.records.lock import write_lock
from verdicts.records.schema import Record, Run
from verdicts.records.suite import Suite, SuiteBenchmark, SuiteMember, write_suite
from verdicts.runs import condition_of, requests_of
from verdicts.store import Store
from verdicts.suite_folder import refuse_loss, replacement

#: What every caption says of a suite of judged records.
LABEL = "measured"

MemberAsked = tuple[Member, Judge, Mapping[str, Any] | None]


def members_of(plan: Plan, store: Store) -> list[MemberAsked]:
    """The plan's members with their judges and the ``chat`` that the store's records were asked under.

    Needs no weights: a store can be exported where no judge could run.
    """
    judges = {judge.name: judge for judge in plan.judges()}
    conditions = [shard.condition for shard in store.shards()]
    chats = {name: recorded_chat(judge, conditions) for name, judge in judges.items()}
    return [(member, judges[member.judge], chats[member.judge]) for member in plan.members]


def export_suite(
    plan: Plan,
    benchmarks: Sequence[tuple[Asked, Sequence[Subject]]],
    store: Store,
    folder: Path,
    reading: str = "paper",
) -> dict[str, tuple[int, int]]:
    """Write the suite's folder; returns for each record file how many of the benchmark's items it covers.

    Verdicts are read from the stored replies by ``reading``, scores and grades by the parser of today. A member that
    has judged nothing of a benchmark gets no file there. An earlier export of the suite is replaced as a whole, once
    the new one is written.

    Raises InputError where the store holds nothing of the plan, where scores are to be read as verdicts, and where the
    folder holds something else, or records that the new export would lose.
    """
    if plan.scored and reading != "paper":
        raise InputError(f"{plan.suite}: scores have one reading; export without --reading {reading}")
    members = members_of(plan, store)
    with replacement(folder) as new:
        covered = _write_records(plan, benchmarks, members, store, new, reading)
        if not any(found for found, _ in covered.values()):
            raise InputError(f"{store.root}: holds no record of this plan; judge first (`raim judge`)")
        for benchmark, items in benchmarks:
            benchmark.write_index(new, items)
        write_suite(new, describe(plan, [benchmark for benchmark, _ in benchmarks], members, reading))
        write_lock(new)
        refuse_loss(folder, new)
    return covered


def _write_records(
    plan: Plan,
    benchmarks: Sequence[tuple[Asked, Sequence[Subject]]],
    members: Sequence[MemberAsked],
    store: Store,
    folder: Path,
    reading: str,
) -> dict[str, tuple[int, int]]:
    covered = {
        _record_file(benchmark, member): (0, len(items))
        for benchmark, items in benchmarks
        for member, _, _ in members
        if member.judges(benchmark.name)
    }
    for member, judge, chat in members:
        # One shard at a time: a store may be larger than the memory.
        loaded: tuple[str, dict[str, Record], list[Run]] = ("", {}, [])
        of_member = [(b, items) for b, items in benchmarks if member.judges(b.name)]
        for benchmark, items in sorted(of_member, key=lambda entry: entry[0].frame):
            condition = condition_of(member, judge, chat, benchmark.frame, plan.settings)
            if loaded[0] != condition.digest:
                shard = store.shard(condition)
                loaded = (condition.digest, {record.key: record for record in shard.records()}, shard.runs())
            _, records, runs = loaded
            wanted = requests_of(condition, benchmark, items)
            found = [records[request.key] for request in wanted if request.key in records]
            name = _record_file(benchmark, member)
            covered[name] = (len(found), len(wanted))
            if found:
                read = [replace(record, value=reread(record.value, condition, reading)) for record in found]
                write_record_file(folder / name, condition, read, runs)
    return covered


def _record_file(benchmark: Asked, member: Member) -> str:
    return f"records/{benchmark.name}/{member.name}.jsonl.gz"


def describe(plan: Plan, benchmarks: Sequence[Asked], members: Sequence[MemberAsked], reading: str) -> Suite:
    """The suite's description from its plan; the title says where another reading than the default was taken."""
    return Suite(
        suite=plan.suite,
        title=plan.title if reading == "paper" else f"{plan.title}, read by the parser of the {reading}",
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
                role="def_on" if member.arm_of else judge.role,
                arm_of=member.arm_of,
                needs_document=judge.needs_document,
                benchmarks=() if member.benchmarks is None else member.benchmarks,
            )
            for member, judge, _ in members
        },
        coverage_gate=plan.coverage_gate,
    )


def _sampled(sample: Sample) -> str:
    drawn = [] if sample.clusters is None else [f"{sample.clusters} clusters"]
    drawn += [f"{count} pairs of {split}" for split, count in sample.pairs.items()]
    parts = [f"{', '.join(drawn)}, seed {sample.seed}"] if drawn else []
    return "; ".join([*parts, *([", ".join(sample.aspects)] if sample.aspects else [])])
