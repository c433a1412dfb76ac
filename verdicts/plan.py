"""What a run shall hold: benchmarks, how many clusters of each, and which judges under which protocols.

Read from the ``judge`` section of a workflow configuration (``config/judge.yaml``), so that the workflow and the
command line speak of one plan.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from raim.config import validate
from raim.errors import InputError
from verdicts.benchmarks import registry
from verdicts.benchmarks.items import Item
from verdicts.benchmarks.load import load_items
from verdicts.benchmarks.spec import Benchmark
from verdicts.judges.roster import Judge, find

SCHEMA = Path(__file__).resolve().parents[1] / "config" / "schema" / "config.schema.yaml"


@dataclass(frozen=True)
class Sample:
    """Clusters drawn from a benchmark: all of them where ``clusters`` is None."""

    clusters: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class Member:
    """A judge under a protocol. ``benchmarks`` restricts it; None means all of the plan's."""

    judge: str
    protocol: str
    benchmarks: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """The member's name in panels and file names."""
        return f"{self.judge}.{self.protocol}"

    def judges(self, benchmark: str) -> bool:
        """Whether this member is asked about a benchmark."""
        return self.benchmarks is None or benchmark in self.benchmarks


@dataclass(frozen=True)
class Settings:
    """How judges are run. All but ``batch_size`` and ``engine`` enter the records' keys.

    ``dtype`` is a torch dtype's name; None takes each judge's own from the roster. ``truncation`` is what becomes of a
    prompt that does not fit: it abstains (``none``), or is cut by the published rule (``middle_out``).
    """

    engine: str = "transformers"
    dtype: str | None = None
    batch_size: int = 8
    context: int = 8192
    max_new_tokens: int = 384
    truncation: str = "none"


@dataclass(frozen=True)
class Plan:
    """A suite to be made."""

    suite: str
    title: str
    benchmarks: Mapping[str, Sample]
    members: tuple[Member, ...]
    sources: Mapping[str, Path]
    settings: Settings
    revisions: Mapping[str, str] = field(default_factory=dict)

    def judges(self) -> list[Judge]:
        """The judges that take part, in the order of the members, each once, at the plan's or the roster's revision.

        Raises InputError where a judge has neither: records of unknown weights could never be told apart.
        """
        judges = [self.judge(name) for name in dict.fromkeys(member.judge for member in self.members)]
        unpinned = [judge for judge in judges if not judge.revision]
        if unpinned:
            lines = "".join(
                f"\n    {judge.name}: <40 digits>  # from https://huggingface.co/{judge.judge}/commits/main"
                for judge in unpinned
            )
            raise InputError(
                "these judges have no pinned revision (the papers name none); look up the commits that you want and "
                f"give them in the configuration:\n  judge:\n   revisions:{lines}"
            )
        return judges

    def judge(self, name: str) -> Judge:
        """A judge of the roster at the revision that the plan gives, else at the roster's, else at none ("")."""
        judge = find(name)
        return replace(judge, revision=self.revisions[name]) if name in self.revisions else judge


@dataclass(frozen=True)
class Slice:
    """The ``number``-th of ``count`` parts of the items (from 1), cut between clusters."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Slice:
        """Read ``2/8``. Raises InputError on anything else."""
        match = re.fullmatch(r"(\d+)/(\d+)", text)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise InputError(
                f"slice {text!r}: give a part and the number of parts, such as 1/4, 2/4, 3/4 and 4/4"
            )
        return cls(int(match[1]), int(match[2]))

    def of(self, items: Sequence[Item]) -> list[Item]:
        """The items of this slice, in their order: clusters are dealt round, in order of first appearance.

        A document's items stay together, so that a judge reads it once; the slices partition the items.
        """
        turn = {
            cluster: i % self.count for i, cluster in enumerate(dict.fromkeys(item.cluster for item in items))
        }
        return [item for item in items if turn[item.cluster] == self.number - 1]


def read_plan(path: Path) -> Plan:
    """The plan in a configuration file. Raises InputError that says what to change."""
    try:
        config = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{path}: cannot read the configuration ({error})") from error
    if not isinstance(config, dict) or "judge" not in config:
        raise InputError(f"{path}: has no `judge` section; config/judge.yaml shows one")
    validate(config, SCHEMA)
    return plan_of(config["judge"], path.parent)


def plan_of(section: Mapping[str, Any], base: Path) -> Plan:
    """The plan of a validated ``judge`` section; relative source paths are taken from ``base``."""
    listed = section["benchmarks"]
    samples = (
        {name: Sample(**(options or {})) for name, options in listed.items()}
        if isinstance(listed, dict)
        else ({name: Sample() for name in listed})
    )
    members = tuple(
        Member(
            entry["judge"], entry["protocol"], tuple(entry["benchmarks"]) if "benchmarks" in entry else None
        )
        for entry in section["members"]
    )
    revisions = section.get("revisions", {})
    for name in revisions:
        if find(name).weights.kind != "hub":
            raise InputError(
                f"judge: revisions: {name}: its weights are not from a hub, and pinned already; leave it out"
            )
    for member in members:
        find(member.judge)
        unknown = sorted(set(member.benchmarks or ()) - set(samples))
        if unknown:
            raise InputError(
                f"judge: members: {member.name}: {', '.join(unknown)} is not among the benchmarks"
            )
    return Plan(
        suite=section["suite"],
        title=section.get("title", section["suite"]),
        benchmarks=samples,
        members=members,
        sources={name: base / path for name, path in section.get("sources", {}).items()},
        settings=Settings(**section.get("settings", {})),
        revisions=revisions,
    )


def items_of(plan: Plan, names: Sequence[str] | None = None) -> list[tuple[Benchmark, list[Item]]]:
    """The plan's benchmarks (or those named, in that order) with the items drawn of each.

    Raises InputError on a benchmark that the plan does not have, and on any source that cannot be read.
    """
    unknown = sorted(set(names or ()) - set(plan.benchmarks))
    if unknown:
        raise InputError(
            f"{', '.join(unknown)} is not among the plan's benchmarks: {', '.join(plan.benchmarks)}"
        )
    chosen = [registry.find(name) for name in names or plan.benchmarks]
    return [
        (
            benchmark,
            draw(load_items(benchmark, plan.sources.get(benchmark.name)), plan.benchmarks[benchmark.name]),
        )
        for benchmark in chosen
    ]


def draw(items: list[Item], sample: Sample) -> list[Item]:
    """The items of ``sample.clusters`` clusters, in their order; clusters are drawn whole, without replacement.

    Clusters are numbered by first appearance and drawn with ``default_rng(seed).permutation``.
    """
    clusters = list(dict.fromkeys(item.cluster for item in items))
    if sample.clusters is None or sample.clusters >= len(clusters):
        return items
    chosen = np.random.default_rng(sample.seed).permutation(len(clusters))[: sample.clusters]
    kept = {clusters[i] for i in chosen}
    return [item for item in items if item.cluster in kept]
