"""Time the record store at a million records in one shard: ``python -m benchmarks.store [RECORDS] [FOLDER]``.

Each step runs in a process of its own; its seconds are wall time, its memory the process's peak, the list of keys
that is asked for included. Needs 2 GB of disk in FOLDER (default: the system's temporary folder).
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from verdicts.records.canonical import sha256_text
from verdicts.records.schema import Condition, Record, Run, Verdict
from verdicts.store import Store

CONDITION = Condition("verdict", "example/judge", "0" * 40, "def_on/1", None, {"mode": "greedy"})
REPLY = (
    "The answer repeats what the evidence says about the dose, and adds nothing to it. " * 4
    + "\nVERDICT: SUPPORTED"
)
PROMPT = sha256_text("prompt")
#: Records in one append: what a run writes at once.
BATCH = 1000


def records(start: int, stop: int, run: str) -> Iterator[Record]:
    """Records numbered from ``start`` to ``stop``, in an order that is not that of their keys."""
    value = Verdict(0, "verdict_line", "stop", 500, 68, sha256_text(REPLY), reply=REPLY)
    for number in range(start, stop):
        item = sha256_text(str(number))
        yield Record(CONDITION.key(item, PROMPT), item, PROMPT, value, run, "2026-01-01T00:00:00+00:00")


def append(root: Path, start: int, stop: int) -> None:
    """Write records as a run does, batch by batch, each on disk before the next."""
    name = f"run-{start}"
    with Store(root).shard(CONDITION).writer(Run(name, "benchmark")) as writer:
        for first in range(start, stop, BATCH):
            writer.append(records(first, min(first + BATCH, stop), name))


def expect(found: object, expected: object) -> None:
    """A benchmark of a wrong answer is none."""
    if found != expected:
        raise RuntimeError(f"found {found}, expected {expected}")


def measured(step: Callable[[], object]) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and peak memory in GiB of a step in a process of its own."""
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        try:
            step()
            os._exit(0)
        finally:
            os._exit(1)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"the step ended with status {status}")
    unit = 1 << 30 if sys.platform == "darwin" else 1 << 20
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit


def main() -> None:
    """Print one line a step."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        root = Path(folder)

        def look_up(expected: int) -> None:
            wanted = [record.key for record in records(0, count + BATCH, "")]
            started, cpu = time.perf_counter(), time.process_time()
            missing = Store(root).shard(CONDITION).missing(wanted)
            seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
            expect(len(missing), expected)
            print(f"{'    of which the look-up':<60} {seconds:>8.2f} {cpu:>8.2f}", flush=True)

        def seal(expected: int) -> None:
            expect(Store(root).shard(CONDITION).seal(), (expected, 0))

        def forget() -> None:
            next(root.glob("*/sealed.jsonl.keys")).unlink()
            look_up(0)

        steps: tuple[tuple[str, Callable[[], None]], ...] = (
            (f"append {count:,} records, {BATCH:,} at a time", lambda: append(root, 0, count)),
            (f"which of {count + BATCH:,} keys are missing, none sealed", lambda: look_up(BATCH)),
            (f"seal {count:,}", lambda: seal(count)),
            (f"which of {count + BATCH:,} keys are missing, sealed", lambda: look_up(BATCH)),
            (f"append {BATCH:,} more", lambda: append(root, count, count + BATCH)),
            (f"seal them into {count:,}", lambda: seal(BATCH)),
            ("which are missing, the key file deleted", forget),
        )
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(
            f"{'step':<60} {'wall s':>8} {'CPU s':>8} {'peak GiB':>9}   (this process: {own / (1 << 20):.2f} GiB)"
        )
        for name, step in steps:
            seconds, cpu, memory = measured(step)
            print(f"{name:<60} {seconds:>8.2f} {cpu:>8.2f} {memory:>9.2f}", flush=True)
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
        print(f"{size / 1e9:.2f} GB on disk")


if __name__ == "__main__":
    main()
