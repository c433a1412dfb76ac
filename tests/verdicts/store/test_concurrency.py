"""Many writers, sealers and readers of one shard at once: nothing lost, nothing twice, no false alarm."""

from __future__ import annotations

import os
import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from tests.processes import forked
from tests.verdicts.making import CHAT, CONDITION, JUDGE, FakeEngine, benchmark, items, record, run
from tests.verdicts.store.test_shard import fill
from verdicts.drawing import Slice
from verdicts.plan import Member, Settings
from verdicts.records.canonical import sha256_text
from verdicts.runs import condition_of, judge_missing, requests_of
from verdicts.store import Store, segment, sidecar

SETTINGS = Settings(batch_size=2, context=512)
COUNT = 60
KEYS = [record(n).key for n in range(COUNT)]


def write_all(root: Path, writer: int) -> None:
    """Every third record is this writer's own, the others are everybody's; sealed after every small run."""
    rng = random.Random(writer)
    numbers = [n for n in range(COUNT) if n % 3 or n % 4 == writer]
    rng.shuffle(numbers)
    for start in range(0, len(numbers), 7):
        shard = Store(root).shard(CONDITION)
        wanted = numbers[start : start + 7]
        absent = [wanted[i] for i in shard.missing([KEYS[n] for n in wanted])]
        fill(shard, absent, f"writer-{writer}-{start}")


def read_all(root: Path, until: float) -> None:
    """Records only ever grow, and none is there twice."""
    before: set[str] = set()
    while time.monotonic() < until:
        shard = Store(root).shard(CONDITION)
        found = [r.key for r in shard.records()]
        assert len(found) == len(set(found))
        assert before <= set(found)
        before = set(found)
        absent = {KEYS[i] for i in shard.missing(KEYS)}
        assert not absent & before


def test_processes_share_a_shard(scratch: Path) -> None:
    until = time.monotonic() + 3
    children = [forked(lambda w=w: write_all(scratch, w)) for w in range(4)]
    children += [forked(lambda: read_all(scratch, until)) for _ in range(2)]
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 6
    shard = Store(scratch).shard(CONDITION)
    shard.seal()
    found = [r.key for r in shard.records()]
    assert found == sorted(KEYS)
    assert not list((shard.folder / "open").iterdir())
    assert {r.run for r in shard.records()} <= {"run"}


def test_shards_of_a_run_at_once(scratch: Path) -> None:
    """As the workflow runs them: one process a slice, each with all benchmarks and protocols, into one store.

    A run over all items beside them finds its records made, or makes them a second time; they are kept once.
    """
    judge_alone = [(Member("small", protocol), JUDGE, CHAT) for protocol in ("constrained", "generative")]
    benchmarks = [(benchmark(name), items(24, name)) for name in ("one", "two")]
    wanted = {
        request.key
        for member, judge, chat in judge_alone
        for bench, of in benchmarks
        for request in requests_of(condition_of(member, judge, chat, bench.frame, SETTINGS), bench, of)
    }
    go = scratch / "go"

    def work(part: Slice, name: str) -> None:
        with (scratch / f"{name}.asked").open("w") as asked:
            engine = FakeEngine(seen=lambda prompt: asked.write(sha256_text(prompt) + "\n"))
            while not go.exists():
                time.sleep(0.001)
            share = [(bench, part.of(of)) for bench, of in benchmarks]
            judge_missing(Store(scratch / "store"), judge_alone, share, SETTINGS, run(name), lambda: engine)

    count = 4
    children = [forked(lambda n=n: work(Slice(n, count), f"part-{n}")) for n in range(1, count + 1)]
    children.append(forked(lambda: work(Slice(1, 1), "all")))
    go.touch()
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * (count + 1)

    asked = [(scratch / f"part-{n}.asked").read_text().split() for n in range(1, count + 1)]
    shards = list(Store(scratch / "store").shards())
    assert len(shards) == len(judge_alone)
    for shard in shards:
        shard.seal()
        assert not list((shard.folder / "open").iterdir())
    found = [record.key for shard in shards for record in shard.records()]
    assert len(found) == len(wanted)
    assert set(found) == wanted
    # Slices share nothing: no prompt is asked by two of them, whatever the run beside them did.
    assert not any(set(a) & set(b) for n, a in enumerate(asked) for b in asked[:n])


def test_runs_with_one_id_at_once(scratch: Path) -> None:
    """Exactly one of them has it; the others are told, and the one's records are whole."""

    def work(root: Path, number: int) -> None:
        shard = Store(root).shard(CONDITION)
        try:
            with shard.writer(run("same")) as writer:
                writer.append([record(number, "same")])
        except InputError as error:
            os._exit(7 if "give the run another id" in str(error) else 8)
        shard.seal()

    for trial in range(5):
        root = scratch / f"trial-{trial}"
        children = [forked(lambda r=root, n=n: work(r, n)) for n in range(4)]
        codes = sorted(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)
        assert codes == [0, 7, 7, 7]
        shard = Store(root).shard(CONDITION)
        assert [r.run for r in shard.records()] == ["same"]
        assert [r.run for r in shard.runs()] == ["same"]
        assert not list((shard.folder / "open").iterdir())


def test_sealers_at_once(scratch: Path) -> None:
    shard = Store(scratch).shard(CONDITION)
    for n in range(20):
        fill(shard, [n], f"run-{n}", seal=False)
    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda _: Store(scratch).shard(CONDITION).seal(), range(8)))
    assert sum(added for added, _ in counts) == 20
    assert sum(repeated for _, repeated in counts) == 0
    assert len(list(shard.records())) == 20


def test_a_living_writer_is_left_alone(scratch: Path) -> None:
    shard = Store(scratch).shard(CONDITION)
    with shard.writer(run("living")) as writer:
        writer.append([record(1)])
        assert shard.seal() == (0, 0)
        assert shard.missing(KEYS[:3]) == [0, 2]
        writer.append([record(2)])
    assert shard.seal() == (2, 0)


@pytest.mark.parametrize("use", ["missing", "records"])
def test_a_segment_sealed_between_listing_and_reading(
    scratch: Path, monkeypatch: pytest.MonkeyPatch, use: str
) -> None:
    shard, other = Store(scratch).shard(CONDITION), Store(scratch).shard(CONDITION)
    fill(shard, [0, 1])
    fill(shard, [2, 3], "open", seal=False)
    listed = shard._segments()
    assert len(listed) == 1

    def stale() -> list[Path]:
        other.seal()
        return listed

    monkeypatch.setattr(shard, "_segments", stale)
    if use == "missing":
        assert shard.missing(KEYS[:5]) == [4]
    else:
        assert sorted(r.key for r in shard.records()) == sorted(KEYS[:4])


@pytest.mark.parametrize("sealed_before", [True, False])
def test_sealing_between_two_looks_at_the_key_file(
    scratch: Path, monkeypatch: pytest.MonkeyPatch, sealed_before: bool
) -> None:
    """A key file of the next sealed file says more bytes than this one has: no loss, look again."""
    shard, other = Store(scratch).shard(CONDITION), Store(scratch).shard(CONDITION)
    if sealed_before:
        fill(shard, [0, 1])
    fill(shard, [2, 3], "open", seal=False)
    load, calls = sidecar._load, []

    def seal_first(path: Path) -> Any:
        calls.append(path)
        if len(calls) == 1:
            monkeypatch.setattr(sidecar, "_load", load)
            other.seal()
        return load(path)

    monkeypatch.setattr(sidecar, "_load", seal_first)
    known = {0, 1} if sealed_before else set()
    assert shard.missing(KEYS[:5]) == [n for n in range(5) if n not in known | {2, 3}]


def test_records_sealed_while_they_are_read(scratch: Path) -> None:
    shard, other = Store(scratch).shard(CONDITION), Store(scratch).shard(CONDITION)
    fill(shard, [0, 1, 2])
    fill(shard, [3, 4], "open", seal=False)
    reading = shard.records()
    found = [next(reading).key]
    other.seal()
    fill(other, [5], "more")
    found += [r.key for r in reading]
    assert sorted(found) == sorted(KEYS[:5])


def test_a_sealer_that_takes_a_file_before_its_writer_has_locked_it(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard, other = Store(scratch).shard(CONDITION), Store(scratch).shard(CONDITION)
    lock = segment.lock
    raced: list[Path] = []

    def after_a_seal(handle: int, path: Path, *, wait: bool) -> bool:
        if wait and not raced:
            raced.append(path)
            other.seal()
            assert not path.exists()
        return lock(handle, path, wait=wait)

    monkeypatch.setattr(segment, "lock", after_a_seal)
    fill(shard, [0], "late")
    assert raced
    assert [r.key for r in shard.records()] == KEYS[:1]


def test_a_writer_that_removes_its_empty_file_under_a_sealer(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard, other = Store(scratch).shard(CONDITION), Store(scratch).shard(CONDITION)
    writer = shard.writer(run("empty"))
    monkeypatch.setattr(other, "_segments", lambda: [writer.path, writer.path])
    lock = segment.lock

    def after_the_close(handle: int, path: Path, *, wait: bool) -> bool:
        if path.exists():
            writer.close()
        return lock(handle, path, wait=wait)

    monkeypatch.setattr(segment, "lock", after_the_close)
    assert other.seal() == (0, 0)
    assert not list((shard.folder / "open").iterdir())
