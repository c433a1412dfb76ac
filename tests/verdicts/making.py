"""Small conditions, records, items and a judge that costs nothing, for the tests of the inference tier."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from verdicts.benchmarks.items import Item
from verdicts.benchmarks.spec import Benchmark, Source
from verdicts.engines.base import LabelLogprobs, Overflow, Reply
from verdicts.frames.task import Task
from verdicts.judges.roster import Judge, Weights
from verdicts.plan import Plan
from verdicts.plan_file import plans_of
from verdicts.records.canonical import sha256_text
from verdicts.records.schema import Condition, Distribution, Record, Run, Verdict

CONDITION = Condition(
    kind="verdict",
    judge="example/judge-1b",
    revision="0" * 40,
    frame="def_on/1",
    chat={"template": sha256_text("template"), "kwargs": {}},
    decoding={
        "mode": "greedy",
        "max_new_tokens": 32,
        "context": 512,
        "truncation": "none",
        "dtype": "float32",
    },
)
SCORED = replace(
    CONDITION, kind="distribution", decoding={"mode": "constrained"}, labels=("SUPPORTED", "HALLUCINATED")
)
JUDGE = Judge(
    name="small",
    tag="Small",
    judge="example/judge-1b",
    revision="0" * 40,
    developer="nobody",
    parameters="1B",
    licence="none",
    context=512,
    weights=Weights("hub"),
)
CHAT: Mapping[str, Any] = {"template": sha256_text("template"), "kwargs": {}}


def verdict(number: int) -> Verdict:
    """A verdict that differs from number to number, with text that is awkward to store."""
    reply = f'line {number}\r\nü \u2028 "quoted" \\ \x00 \ud800\nVERDICT: SUPPORTED'
    return Verdict(number % 2, "verdict_line", "stop", 10 + number, 5, sha256_text(reply), reply=reply)


def record(number: int, run: str = "run", condition: Condition = CONDITION) -> Record:
    """The record of an item by its number."""
    item, prompt = sha256_text(f"item {number}"), sha256_text(f"prompt {number}")
    value: Verdict | Distribution = verdict(number)
    if condition.kind == "distribution":
        share = 1.0 / (2 + number)
        value = Distribution((share, 1.0 - share), 0.25, "token_probabilities", "scored", 12)
    return Record(condition.key(item, prompt), item, prompt, value, run, "2026-01-01T00:00:00+00:00")


def run(name: str = "run") -> Run:
    """Provenance of a run."""
    return Run(name, "fake", {"python": "3"}, "none", "2026-01-01T00:00:00+00:00")


def benchmark(name: str = "toy", frame: str = "claimcheck") -> Benchmark:
    """A benchmark whose items are given by hand."""
    return Benchmark(
        name=name,
        title=name.title(),
        tier="grounded",
        frame=frame,  # type: ignore[arg-type]
        task=Task("a toy question", "Evidence"),
        content="toys",
        source=Source(page="nowhere", columns=()),
        build=lambda rows: [],
    )


def items(count: int, name: str = "toy", per_cluster: int = 2) -> list[Item]:
    """Items in clusters of ``per_cluster``, alternately supported and hallucinated."""
    return [
        Item(
            f"{name}:{i}", i // per_cluster, i % 2, "", (f"document {i // per_cluster}",), f"{name} claim {i}"
        )
        for i in range(count)
    ]


def configuration(*plans: Mapping[str, Any], **shared: Any) -> dict[str, Any]:
    """A workflow configuration with these plans; ``shared`` are options that stand beside them."""
    where = {"python": "python", "store": "store", "weights": "weights"}
    suites = list(dict.fromkeys(plan["suite"] for plan in plans))
    return {"suites": suites, "check": [], "judge": {"plans": list(plans), **where, **shared}}


def plan_of(entry: Mapping[str, Any], base: Path = Path(), **shared: Any) -> Plan:
    """The plan of a configuration that has this one only; ``shared`` are options that stand beside the plans."""
    (plan,) = plans_of({"plans": [entry], **shared}, base).values()
    return plan


class FakeEngine:
    """Answers from a function of the prompt; counts what it was asked."""

    name = "fake"
    hardware = "none"

    def __init__(
        self,
        reply: Callable[[str], str | None] | None = None,
        seen: Callable[[str], object] = lambda prompt: None,
    ) -> None:
        self._reply = reply or (
            lambda prompt: f"VERDICT: {'SUPPORTED' if len(prompt) % 2 else 'HALLUCINATED'}"
        )
        self._seen = seen
        self.asked: list[str] = []
        self.batches: list[int] = []

    def versions(self) -> Mapping[str, str]:
        return {"fake": "1"}

    def generate(self, prompts: Sequence[str], max_new_tokens: int) -> list[Reply | Overflow]:
        self._take(prompts)
        replies = [self._reply(prompt) for prompt in prompts]
        return [
            Overflow(len(prompt)) if text is None else Reply(text, "stop", len(prompt), len(text.split()))
            for prompt, text in zip(prompts, replies, strict=True)
        ]

    def score(
        self, prompts: Sequence[str], prefix: str, labels: Sequence[str]
    ) -> list[LabelLogprobs | Overflow]:
        self._take(prompts)
        tokens = tuple((number,) for number in range(len(labels)))
        return [
            LabelLogprobs(
                tuple((-float(1 + (len(prompt) + n) % 5),) for n in range(len(labels))), tokens, len(prompt)
            )
            for prompt in prompts
        ]

    def _take(self, prompts: Sequence[str]) -> None:
        self.batches.append(len(prompts))
        for prompt in prompts:
            self.asked.append(prompt)
            self._seen(prompt)
