"""Judge what is missing: from a plan and a store to finished records.

A judge is loaded once, and only if something is missing; its answers reach the store batch by batch, so that a run
killed at any moment repeats at most the batch in flight.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from verdicts.records.schema import Condition, Distribution, Record, Run, Verdict
from verdicts.store import Shard, Store

log = logging.getLogger(__name__)

#: Batches of the model in one call of the engine, which sorts them by length or by what they share. What a call
#: answers is written at once: a killed run repeats at most one call.
_BATCHES_A_CALL = 4


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
        prompt, content = render(benchmark.frame, benchmark.task, item), item.content
        requests.append(Request(condition.key(content, sha256_text(prompt)), content, prompt))
    return requests


def condition_of(
    member: Member, judge: Judge, chat: Mapping[str, Any] | None, frame: str, settings: Settings
) -> Condition:
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
    cheap ones can be had first. ``run`` names the run; the engine adds what it computes with.
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
            log.info(
                "%s, %s: %d of %d to be judged", benchmark.name, member.name, len(pending), len(requests)
            )
            if pending:
                if engine is None:
                    engine = load()
                    versions = {**run.versions, **engine.versions()}
                    run = replace(run, engine=engine.name, versions=versions, hardware=engine.hardware)
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
    progress = _Progress(label, len(pending))
    with shard.writer(replace(run, run=unique)) as writer:
        for chunk in _chunks(pending, batch_size * _BATCHES_A_CALL):
            values = ask(engine, [request.prompt for request in chunk], condition)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            writer.append(
                Record(request.key, request.item, sha256_text(request.prompt), value, unique, now)
                for request, value in zip(chunk, values, strict=True)
            )
            progress.report(values)
    shard.seal()
    progress.finish()
    return len(pending)


class _Progress:
    """What a run tells its user: how far it is, how fast, and how often no verdict could be had."""

    def __init__(self, label: str, total: int) -> None:
        self._label = label
        self._total = total
        self._done = 0
        self._silent: Counter[str] = Counter()
        self._started = time.monotonic()

    def report(self, values: Sequence[Verdict | Distribution]) -> None:
        """Count one call's answers and log the pace."""
        self._done += len(values)
        self._silent.update(rule for value in values if (rule := _silence(value)) is not None)
        rate = self._done / max(time.monotonic() - self._started, 1e-9)
        left = (self._total - self._done) / rate / 60
        log.info(
            "%s: %d of %d, %.2f items/s, %.0f min left", self._label, self._done, self._total, rate, left
        )

    def finish(self) -> None:
        """Say for how many items the judge gave no verdict, and why."""
        if self._silent:
            why = ", ".join(f"{rule} {count}" for rule, count in sorted(self._silent.items()))
            log.warning("%s: no verdict on %d of %d: %s", self._label, self._silent.total(), self._total, why)


def _silence(value: Verdict | Distribution) -> str | None:
    """The rule by which a judge gave no verdict; None where it gave one."""
    given = value.verdict if isinstance(value, Verdict) else value.probabilities
    return value.rule if given is None else None


def _chunks(requests: Sequence[Request], size: int) -> Iterator[Sequence[Request]]:
    for start in range(0, len(requests), size):
        yield requests[start : start + size]
