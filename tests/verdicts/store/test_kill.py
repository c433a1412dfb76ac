"""Killed at any moment, a run loses nothing sealed, repeats at most the batch in flight, and leaves nothing torn."""

from __future__ import annotations

import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.verdicts.making import CHAT, JUDGE, FakeEngine, benchmark, items, run
from tests.verdicts.store.faults import at_call, in_child
from verdicts.plan import Member, Settings
from verdicts.runs import condition_of, judge_missing, requests_of
from verdicts.store import Store

MEMBERS = [(Member("small", protocol), JUDGE, CHAT) for protocol in ("constrained", "generative")]
BENCHMARKS = [(benchmark("toy"), items(10)), (benchmark("other", "def_on"), items(2, "other"))]
SETTINGS = Settings(batch_size=2, context=512)
#: Items that are asked for between two writes: what a killed run repeats at most.
IN_FLIGHT = 2 * 4
WANTED = {
    request.key: request.prompt
    for member, judge, chat in MEMBERS
    for bench, of in BENCHMARKS
    for request in requests_of(condition_of(member, judge, chat, bench.frame, SETTINGS), bench, of)
}


def judge(root: Path, name: str, asked: Path, delay: float = 0.0) -> None:
    """Judge what is missing, noting each prompt that the judge is asked."""
    with open(asked, "a", buffering=1, encoding="utf-8") as log:

        def note(prompt: str) -> None:
            time.sleep(delay)
            log.write(repr(prompt) + "\n")

        engine = FakeEngine(seen=note)
        judge_missing(Store(root), MEMBERS, BENCHMARKS, SETTINGS, run(name), lambda: engine)


def sealed(root: Path) -> set[bytes]:
    """Whole lines of all sealed files."""
    return {line for path in root.glob("*/sealed.jsonl") for line in path.read_bytes().splitlines()}


def check_whole(root: Path) -> int:
    """Every record can be read, is wanted, and is there once; how many there are."""
    found = [record.key for shard in Store(root).shards() for record in shard.records()]
    assert max(Counter(found).values(), default=0) <= 1
    assert set(found) <= set(WANTED)
    return len(found)


def check_finished(root: Path, asked: Path, kills: int) -> None:
    """All records are there and sealed, and no more was asked twice than each kill explains."""
    assert check_whole(root) == len(WANTED)
    assert len(sealed(root)) == len(WANTED)
    assert not list(root.glob("*/open/*"))
    assert len(asked.read_text(encoding="utf-8").splitlines()) <= len(WANTED) + kills * IN_FLIGHT


def killed_at(number: int, root: Path, name: str, asked: Path) -> bool:
    """Judge in a child that kills itself at its n-th disk operation; False where it finished before."""

    def work() -> None:
        with at_call(number, lambda: os.kill(os.getpid(), signal.SIGKILL)):
            judge(root, name, asked)

    status = in_child(work)
    assert status in (0, -signal.SIGKILL)
    return status != 0


def operations(scratch: Path) -> int:
    """How many disk operations an undisturbed run makes."""
    with at_call(0, lambda: None) as done:
        judge(scratch / "undisturbed", "whole", scratch / "undisturbed.log")
    return len(done)


def test_killed_at_every_disk_operation(scratch: Path) -> None:
    total = operations(scratch)
    assert total > 40
    for number in range(1, total + 1):
        root, asked = scratch / f"store-{number}", scratch / f"{number}.log"
        assert killed_at(number, root, "killed", asked)
        before = sealed(root)
        check_whole(root)
        judge(root, "again", asked)
        assert before <= sealed(root)
        check_finished(root, asked, 1)


def test_killed_again_and_again(scratch: Path) -> None:
    """The same store, killed at random operations until a run gets through."""
    rng = random.Random(0)
    total = 0
    for trial in range(5):
        root, asked, kills = scratch / f"store-{trial}", scratch / f"{trial}.log", 0
        before: set[bytes] = set()
        while killed_at(rng.randint(1, 30), root, f"run-{kills}", asked):
            kills += 1
            assert before <= sealed(root)
            before = sealed(root)
            check_whole(root)
        check_finished(root, asked, kills)
        total += kills
    assert total >= 15


def test_killed_from_outside(scratch: Path) -> None:
    """SIGKILL at random times, wherever the process is."""
    rng = random.Random(1)
    root, asked, kills = scratch / "store", scratch / "asked.log", 0
    for number in range(40):
        child = os.fork()
        if child == 0:
            judge(root, f"run-{number}", asked, delay=0.002)
            os._exit(0)
        time.sleep(rng.uniform(0.0, 0.12))
        os.kill(child, signal.SIGKILL)
        kills += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        check_whole(root)
    assert kills >= 5
    judge(root, "last", asked)
    check_finished(root, asked, kills)


def test_a_finished_store_loads_no_judge(scratch: Path) -> None:
    judge(scratch, "first", scratch / "asked.log")

    def load() -> FakeEngine:
        pytest.fail("the judge was loaded")

    before = {path: path.read_bytes() for path in scratch.rglob("*") if path.is_file()}
    assert judge_missing(Store(scratch), MEMBERS, BENCHMARKS, SETTINGS, run("second"), load) == 0
    assert {path: path.read_bytes() for path in scratch.rglob("*") if path.is_file()} == before
