"""A small suite on disk that has every kind of comparator, and the derived files of chosen steps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from analysis.estimators.costs import read_rates
from analysis.pipeline.derive import derive_benchmark, derive_suite
from analysis.pipeline.derived import Derived
from analysis.steps.order import order_steps
from tests.synthetic import write_votes
from verdicts.records.canonical import sha256_text
from verdicts.records.index import IndexRow, write_index
from verdicts.records.lock import write_lock
from verdicts.records.suite import Suite, SuiteBenchmark, SuiteMember, write_suite

#: Title, tier, frame and clusters of each benchmark.
BENCHMARKS = {
    "medhallu": ("MedHallu", "core grounded", "def_on", 90),
    "wice": ("WiCE", "core grounded", "claimcheck", 60),
    "cnn": ("CNN", "grounded", "claimcheck", 40),
    "factscore": ("FActScore", "ungrounded", "def_on", 50),
}
MEMBERS = ("Gemma", "Llama", "Phi", "Qwen", "Yi")


def write_full_suite(folder: Path, seed: int = 0, members: Sequence[str] = MEMBERS) -> Path:
    """Members and comparators of all roles, among them a member without its twin's base checkpoint."""
    rng = np.random.default_rng(seed)
    roster: dict[str, tuple[SuiteMember, float, tuple[str, ...]]] = {}

    def add(name: str, tag: str, judge: str, skill: float, only: tuple[str, ...] = (), **role: Any) -> None:
        described = SuiteMember(tag, judge, "0" * 40, "generative", "Example", "9B", "Apache-2.0", **role)
        roster[name] = (described, skill, only or tuple(BENCHMARKS))

    claims = tuple(name for name, entry in BENCHMARKS.items() if entry[2] == "claimcheck")
    grounded = tuple(name for name, entry in BENCHMARKS.items() if entry[1] != "ungrounded")
    checkpoints = read_rates().panel
    for position, name in enumerate(members):
        skill = 0.2 + 0.25 * position
        add(name.lower(), name, checkpoints[position], skill)
        add(
            f"{name.lower()}.def_on",
            name,
            checkpoints[position],
            0.1,
            claims,
            role="def_on",
            arm_of=name.lower(),
        )
        add(f"{name.lower()}.inst", name, checkpoints[position], skill, role="probe_instruct")
        if name != "Phi":
            add(f"{name.lower()}.base", name, f"example/{name}-base", 0.1, role="probe_base")
    add("sonnet", "Sonnet", "claude-sonnet-4-6", 1.6, role="frontier")
    add("sonnet.def_on", "Sonnet", "claude-sonnet-4-6", 1.2, claims, role="def_on", arm_of="sonnet")
    add("qwen32b", "Qwen2.5-32B", "Qwen/Qwen2.5-32B-Instruct-AWQ", 1.2, role="larger")
    document = {"role": "purpose_trained", "needs_document": True}
    add("minicheck", "MiniCheck-FT5", "lytang/MiniCheck-Flan-T5-Large", 0.8, grounded, **document)
    add("prometheus", "Prometheus-2", "prometheus-eval/prometheus-7b-v2.0", 0.3, role="purpose_trained")

    for benchmark, (_, _, _, clusters) in BENCHMARKS.items():
        rows = [
            IndexRow(f"{i}:{kind}", str(i), int(kind == "neg"), sha256_text(f"{benchmark} {i} {kind}"), "")
            for i in range(clusters)
            for kind in ("pos", "neg")
        ]
        write_index(folder / "index" / f"{benchmark}.tsv", rows)
        gold = np.array([row.gold for row in rows])
        difficulty = rng.normal(size=len(rows))
        for name, (described, skill, only) in roster.items():
            shared = 0.9 if described.role == "probe_base" else 0.5
            right = skill + shared * difficulty + rng.normal(size=len(rows)) > 0
            votes = np.where(right, gold, 1 - gold).astype(float)
            votes[rng.random(len(rows)) < 0.03] = np.nan
            if described.role.startswith("probe"):
                votes[:6] = np.inf
            if benchmark in only:
                write_votes(folder / "records" / benchmark / f"{name}.jsonl.gz", name, rows, votes)
    described = {name: SuiteBenchmark(*entry[:3]) for name, entry in BENCHMARKS.items()}
    names = {name: entry[0] for name, entry in roster.items()}
    write_suite(
        folder, Suite(folder.name, "All comparators", "SIMULATED: no judge was asked.", described, names)
    )
    write_lock(folder)
    return folder


def derive(suite: Path, derived: Path, steps: Sequence[str]) -> Derived:
    """Run these steps, the overview and the ladder, and what they read."""
    passes = order_steps()
    wanted = {"overview", "ladder", *steps}
    for early in (passes.before, passes.alongside):
        list(derive_suite([s for s in early if s in wanted], suite, derived, list(BENCHMARKS)))
    for benchmark in BENCHMARKS:
        list(derive_benchmark([s for s in passes.benchmarks if s in wanted], suite, derived, benchmark))
    list(derive_suite([s for s in passes.after if s in wanted], suite, derived, list(BENCHMARKS)))
    return Derived(derived)
