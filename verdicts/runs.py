"""Judge what is missing: from a plan and a store to finished records.

A judge is loaded once, and only if something is missing; its answers reach the store batch by batch, so that a run
killed at any moment repeats at most the batch in flight.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from verdicts.benchmarks.items import Item
from verdicts.benchmarks.spec import Benchmark
from verdicts.engines.base import Engine
from verdicts.frames import FRAME_VERSION, render
from verdicts.judges.roster import Judge
from verdicts.plan import Member, Settings
from verdicts.protocols import protocol
from verdicts.records.canonical import sha256_text
from verdicts.records.schema import Condition, Record, Run
from verdicts.store import Shard, Store

log = logging.getLogger(__name__)

#: Batches between two writes to the store.
_BATCHES_A_WRITE = 4


@dataclass(frozen=True)
class Request:
    """One item to be judged under one condition."""

    key: str
    item: str
    prompt: str


def requests_of(condition: Condition, benchmark: Benchmark, items: Sequence[Item]) -> list[Request]:
    """The requests of a benchmark's items, in their order."""
    requests = []
    for item in items:
        prompt = render(benchmark.frame, benchmark.task, item)
        requests.append(Request(condition.key(item.content, sha256_text(prompt)), item.content, prompt))
    return requests


def condition_of(member: Member, judge: Judge, chat: Mapping[str, Any] | None, frame: str, settings: Settings) -> Condition:
    """The condition under which a member judges benchmarks of a frame."""
    make_condition, _ = protocol(member.protocol)
    return make_condition(judge, f"{frame}/{FRAME_VERSION}", chat, settings)


def judge_missing(
    store: Store,
    members: Sequence[tuple[Member, Judge, Mapping[str, Any] | None]],
    benchmarks: Sequence[tuple[Benchmark, Sequence[Item]]],
    settings: Settings,
    run: Run,
    load: Callable[[], Engine],
) -> int:
    """Ask for every record that is missing; returns how many were made.

    ``members`` are one judge under its protocols, each with the ``chat`` of its conditions; ``load`` loads the judge
    and is called at most once, when the first missing record is met. Benchmarks come in the order given, so that
    cheap ones can be had first.
    """
    engine: Engine | None = None
    made = 0
    for benchmark, items in benchmarks:
        for member, judge, chat in members:
            if not member.judges(benchmark.name):
                continue
            condition = condition_of(member, judge, chat, benchmark.frame, settings)
            shard = store.shard(condition)
            shard.seal()
            requests = requests_of(condition, benchmark, items)
            pending = [requests[i] for i in shard.missing([request.key for request in requests])]
            log.info("%s, %s: %d of %d to be judged", benchmark.name, member.name, len(pending), len(requests))
            if pending:
                engine = engine or load()
                label = f"{benchmark.name}, {member.name}"
                made += _judge(engine, member, condition, shard, pending, settings.batch_size, run, label)
    return made


def _judge(
    engine: Engine,
    member: Member,
    condition: Condition,
    shard: Shard,
    pending: list[Request],
    batch_size: int,
    run: Run,
    label: str,
) -> int:
    _, ask = protocol(member.protocol)
    # Sorted by text, prompts over one document meet in one batch and share its computation.
    pending = sorted(pending, key=lambda request: request.prompt)
    unique = f"{run.run}-{condition.digest[:8]}-{sha256_text(pending[0].key)[:8]}"
    started = time.monotonic()
    done = 0
    with shard.writer(Run(unique, run.engine, run.versions, run.hardware, run.started)) as writer:
        for chunk in _chunks(pending, batch_size * _BATCHES_A_WRITE):
            values = ask(engine, [request.prompt for request in chunk], condition)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            writer.append(
                Record(request.key, request.item, sha256_text(request.prompt), value, unique, now)
                for request, value in zip(chunk, values, strict=True)
            )
            done += len(chunk)
            rate = done / (time.monotonic() - started)
            left = (len(pending) - done) / rate
            log.info("%s: %d of %d, %.2f items/s, %.0f min left", label, done, len(pending), rate, left / 60)
    shard.seal()
    return done


def _chunks(requests: Sequence[Request], size: int) -> Iterator[Sequence[Request]]:
    for start in range(0, len(requests), size):
        yield requests[start : start + size]
