"""Judge what is missing: from a plan and a store to finished records.

A judge is loaded once, and only if something is missing; its answers reach the store batch by batch, so that a run
killed at any moment repeats at most the batch in flight. What got no answer is not recorded: it is listed at the end,
the run fails, and the next one asks again.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from verdicts.asked import Asked, Subject
from verdicts.engines.base import Engine, ServedEngine
from verdicts.failures import Failures
from verdicts.frames import FRAME_VERSION
from verdicts.judges.roster import Judge
from verdicts.plan import Member, Settings
from verdicts.protocols import protocol
from verdicts.records.canonical import digest, sha256_text
from verdicts.records.schema import Condition, Distribution, Record, Run, Verdict
from verdicts.store import Shard, Store
from verdicts.turns import by_document, in_turn

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Request:
    """One item to be judged under one condition."""

    key: str
    item: str
    prompt: str
    uid: str
    cluster: int | str


def requests_of(condition: Condition, benchmark: Asked, items: Sequence[Subject]) -> list[Request]:
    """The requests of a benchmark's items, in their order; items that say the same are one request."""
    requests: dict[str, Request] = {}
    for item in items:
        prompt, content = benchmark.prompt(item, condition), item.content
        if prompt is None:
            continue
        key = condition.key(content, sha256_text(prompt))
        requests.setdefault(key, Request(key, content, prompt, item.uid, item.cluster))
    return list(requests.values())


def condition_of(
    member: Member, judge: Judge, chat: Mapping[str, Any] | None, frame: str, settings: Settings
) -> Condition:
    """The condition under which a member judges benchmarks of a frame, which a second arm puts its own in place of."""
    make_condition, _ = protocol(member.protocol)
    return make_condition(judge, f"{member.frame or frame}/{FRAME_VERSION}", chat, settings)


def judge_missing(
    store: Store,
    members: Sequence[tuple[Member, Judge, Mapping[str, Any] | None]],
    benchmarks: Sequence[tuple[Asked, Sequence[Subject]]],
    settings: Settings,
    run: Run,
    load: Callable[[], Engine],
) -> int:
    """Ask for every record that is missing; returns how many were made.

    ``members`` are one judge under its protocols, each with the ``chat`` of its conditions; ``load`` loads the judge
    and is called at most once, when the first missing record is met. Benchmarks come in the order given, so that
    cheap ones can be had first. ``run`` names the run; the engine adds what it computes with.

    Raises InputError, everything else asked and written, where a prompt got no answer; where the engine says that no
    other prompt would get one, what it has is written and nothing more is asked.
    """
    engine: Engine | None = None
    made = 0
    failures = Failures()
    groups = [
        (benchmark, items, group)
        for benchmark, items in benchmarks
        for group in _asked_together(benchmark, members, settings)
    ]
    try:
        for benchmark, items, group in groups:
            pending = [_pending(store, member, condition, benchmark, items) for member, condition in group]
            pending = [member for member in pending if member.requests]
            if pending:
                if engine is None:
                    engine = load()
                    versions = {**run.versions, **engine.versions()}
                    run = replace(run, engine=engine.name, versions=versions, hardware=engine.hardware)
                made += _judge(engine, pending, settings, run, failures)
            if failures.end is not None:
                break
    finally:
        if engine is not None:
            _close(engine)
        failures.tell()
    failures.refuse(made)
    return made


def _close(engine: Engine) -> None:
    if isinstance(engine, ServedEngine):
        engine.close()


@dataclass(frozen=True)
class _Pending:
    """What a member has not judged of a benchmark."""

    label: str
    protocol: str
    condition: Condition
    shard: Shard
    requests: list[Request]


def _asked_together(
    benchmark: Asked, members: Sequence[tuple[Member, Judge, Mapping[str, Any] | None]], settings: Settings
) -> list[list[tuple[Member, Condition]]]:
    """Members by what their conditions have in common beside the labels: prompts of one group share their starts."""
    groups: dict[str, list[tuple[Member, Condition]]] = {}
    for member, judge, chat in members:
        if member.judges(benchmark.name):
            condition = condition_of(member, judge, chat, benchmark.frame, settings)
            shared = digest({**condition.as_json(), "labels": None})
            groups.setdefault(shared, []).append((member, condition))
    return list(groups.values())


def _pending(
    store: Store, member: Member, condition: Condition, benchmark: Asked, items: Sequence[Subject]
) -> _Pending:
    shard = store.shard(condition)
    shard.seal()
    requests = requests_of(condition, benchmark, items)
    missing = [requests[i] for i in shard.missing([request.key for request in requests])]
    label = f"{benchmark.name}, {member.name}"
    log.info("%s: %d of %d to be judged", label, len(missing), len(requests))
    return _Pending(label, member.protocol, condition, shard, missing)


def _judge(
    engine: Engine, group: Sequence[_Pending], settings: Settings, run: Run, failures: Failures
) -> int:
    progress = [_Progress(member.label, len(member.requests)) for member in group]
    made = 0
    with ExitStack() as stack:
        runs = [_run_of(run, member) for member in group]
        writers = [
            stack.enter_context(member.shard.writer(of)) for member, of in zip(group, runs, strict=True)
        ]
        for place, requests in _calls(engine, [member.requests for member in group], settings):
            member = group[place]
            _, ask = protocol(member.protocol)
            answers = ask(engine, [request.prompt for request in requests], member.condition)
            answered = failures.answered(member.label, requests, answers)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            writers[place].append(
                Record(request.key, request.item, sha256_text(request.prompt), value, runs[place].run, now)
                for request, value in answered
            )
            made += len(answered)
            progress[place].report(len(requests), [value for _, value in answered])
            if failures.end is not None:
                break
    for member, told in zip(group, progress, strict=True):
        member.shard.seal()
        told.finish()
    return made


def _run_of(run: Run, member: _Pending) -> Run:
    """The run under a name of its own in the member's shard."""
    first = min(member.requests, key=lambda request: request.prompt)
    return replace(run, run=f"{run.run}-{member.condition.digest[:8]}-{sha256_text(first.key)[:8]}")


def _calls(
    engine: Engine, members: Sequence[Sequence[Request]], settings: Settings
) -> Iterator[tuple[int, list[Request]]]:
    """The calls of the engine: a member's place, and what it is asked."""
    if isinstance(engine, ServedEngine):
        return in_turn(members, engine.call_size)
    # What a call answers is written at once: a killed run repeats at most this batch.
    return (by_document if len(members) > 1 else in_turn)(members, settings.batch_size)


class _Progress:
    """What a run tells its user: how far it is, how fast, how often no verdict could be had or a prompt was cut."""

    def __init__(self, label: str, total: int) -> None:
        self._label = label
        self._total = total
        self._done = 0
        self._silent: Counter[str] = Counter()
        self._cut = 0
        self._started = time.monotonic()

    def report(self, asked: int, values: Sequence[Verdict | Distribution]) -> None:
        """Count one call's prompts and answers, and log the pace."""
        self._done += asked
        self._silent.update(rule for value in values if (rule := _silence(value)) is not None)
        self._cut += sum(value.truncated > 0 for value in values)
        rate = self._done / max(time.monotonic() - self._started, 1e-9)
        left = (self._total - self._done) / rate / 60
        log.info(
            "%s: %d of %d, %.2f items/s, %.0f min left", self._label, self._done, self._total, rate, left
        )

    def finish(self) -> None:
        """Say for how many items the judge gave no verdict, and why, and how many prompts it was not asked whole."""
        if self._silent:
            why = ", ".join(f"{rule} {count}" for rule, count in sorted(self._silent.items()))
            log.warning("%s: no verdict on %d of %d: %s", self._label, self._silent.total(), self._total, why)
        if self._cut:
            log.warning("%s: %d of %d prompts were too long and cut", self._label, self._cut, self._total)


def _silence(value: Verdict | Distribution) -> str | None:
    """The rule by which a judge gave no verdict; None where it gave one."""
    given = value.verdict if isinstance(value, Verdict) else value.probabilities
    return value.rule if given is None else None
