"""Time what judging costs beside the judge: ``python -m benchmarks.overhead [ITEMS] [FOLDER]``.

Render, key, look-up, parse (or label probabilities) and append, through the very code of a run, with an engine that
answers at once. One process, one core; the store is made in FOLDER (default: the system's temporary folder), whose disk
decides what a write costs.
"""

from __future__ import annotations

import logging
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from verdicts.benchmarks.items import Item
from verdicts.benchmarks.registry import find as find_benchmark
from verdicts.engines.base import LabelLogprobs, Overflow, Reply
from verdicts.frames import render
from verdicts.judges.roster import find
from verdicts.plan import Member, Settings
from verdicts.records.schema import Run
from verdicts.runs import judge_missing
from verdicts.store import Store

JUDGE = replace(find("llama-3.1-8b"), revision="0" * 40)
CHAT = {"template": "0" * 64, "kwargs": {}}
#: The batch of the papers' throughput runs (appendix H).
SETTINGS = Settings(batch_size=128)
SENTENCE = "the patients of the second group received a lower dose and were seen again after twelve weeks"
REPLY = (
    "The answer repeats what the evidence says about the dose, and adds nothing to it. " * 3
    + "\nVERDICT: SUPPORTED"
)


class Instant:
    """An engine that answers every prompt alike, at once."""

    name = "instant"
    hardware = "none"

    def versions(self) -> Mapping[str, str]:
        """No package computes anything."""
        return {}

    def generate(self, prompts: Sequence[str], max_new_tokens: int) -> list[Reply | Overflow]:
        """One reply for all."""
        return [Reply(REPLY, "stop", 500, 68)] * len(prompts)

    def score(
        self, prompts: Sequence[str], prefix: str, labels: Sequence[str]
    ) -> list[LabelLogprobs | Overflow]:
        """Labels of two and five tokens."""
        return [
            LabelLogprobs(((-0.7, -0.1), (-1.2, -0.1, -0.1, -0.1, -0.1)), ((1, 2), (3, 4, 5, 6, 7)), 500)
        ] * len(prompts)


def items(count: int) -> list[Item]:
    """Pairs over passages of some 300 words, about 500 tokens a prompt."""
    words = SENTENCE.split()
    return [
        Item(
            f"{i}",
            i // 2,
            i % 2,
            f"Does a lower dose suffice in group {i // 2}?",
            (" ".join(words * 18) + f" {i // 2}",),
            " ".join(words[i % 7 :]) + f" {i}",
        )
        for i in range(count)
    ]


def main() -> None:
    """Print one line a protocol and step."""
    logging.disable()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 30_000
    benchmark, made = find_benchmark("medhallu"), items(count)
    print(f"{count:,} items, {len(render(benchmark.frame, benchmark.task, made[0]))} characters a prompt")
    print(f"{'protocol':<12} {'step':<38} {'wall s':>8} {'CPU s':>8} {'items/s':>9} {'items/CPU s':>12}")
    for protocol in ("generative", "constrained"):
        member = Member(JUDGE.name, protocol)
        with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
            for step in ("judge all", "find that nothing is missing"):
                judge = partial(
                    judge_missing,
                    Store(Path(folder)),
                    [(member, JUDGE, CHAT)],
                    [(benchmark, made)],
                    SETTINGS,
                    Run(step.replace(" ", "-"), "instant"),
                    Instant,
                )
                wall, cpu = time.perf_counter(), time.process_time()
                judge()
                wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
                print(
                    f"{protocol:<12} {step:<38} {wall:>8.2f} {cpu:>8.2f} {count / wall:>9,.0f} {count / cpu:>12,.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
