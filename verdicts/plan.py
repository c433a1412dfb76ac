"""What a run shall hold: benchmarks, how many clusters of each, and which judges under which protocols.

Read from the ``judge`` section of a workflow configuration (``config/judge.yaml``), so that the workflow and the
command line speak of one plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import yaml

from raim.config import validate
from raim.errors import InputError
from verdicts.arms import require_second_arms, with_examples
from verdicts.asked import Asked, Subject
from verdicts.benchmarks import registry
from verdicts.benchmarks.load import load_items
from verdicts.engines.api.settings import ApiSettings
from verdicts.judges.roster import Judge, find
from verdicts.records.suite import COVERAGE_GATE
from verdicts.scores.load import load_scores
from verdicts.scores.registry import score_datasets

Item = TypeVar("Item", bound=Subject)
SCHEMA = Path(__file__).resolve().parents[1] / "config" / "schema" / "config.schema.yaml"


@dataclass(frozen=True)
class Sample:
    """Clusters drawn from a benchmark: all of them where ``clusters`` is None.

    ``aspects`` are the criteria that are taken of a score dataset, all of them where there is none.
    """

    clusters: int | None = None
    seed: int = 0
    aspects: tuple[str, ...] = ()


@dataclass(frozen=True)
class Member:
    """A judge under a protocol. ``benchmarks`` restricts it; None means all of the plan's.

    ``frame`` makes it the second arm of the member without one: the same judge under this frame in place of each
    benchmark's own (RAIM, Table 11).
    """

    judge: str
    protocol: str
    benchmarks: tuple[str, ...] | None = None
    frame: str = ""

    @property
    def name(self) -> str:
        """The member's name in panels and file names."""
        return member_name(self.judge, self.protocol, self.frame)

    @property
    def arm_of(self) -> str:
        """The member whose second arm this is; empty for one that is none."""
        return member_name(self.judge, self.protocol) if self.frame else ""

    def judges(self, benchmark: str) -> bool:
        """Whether this member is asked about a benchmark."""
        return self.benchmarks is None or benchmark in self.benchmarks


def member_name(judge: str, protocol: str, frame: str = "") -> str:
    """Name of a member in panels and of its files; ``frame`` is a second arm's."""
    return ".".join(filter(None, (judge, protocol, frame)))


@dataclass(frozen=True)
class VllmSettings:
    """How much of the machine the vLLM engine takes; none of it enters the records' keys.

    ``gpu_memory_utilization`` is the share of each GPU's memory, ``kv_cache_gib`` the cache of keys and values where
    there is no GPU. A judge is spread over all the GPUs that its process sees.
    """

    gpu_memory_utilization: float = 0.9
    kv_cache_gib: float = 2.0


@dataclass(frozen=True)
class Settings:
    """How judges are run. All but ``batch_size``, ``engine``, ``vllm`` and ``api`` enter the records' keys.

    ``dtype`` is a torch dtype's name; None takes each judge's own from the roster. ``truncation`` is what becomes of a
    prompt that does not fit: it abstains (``none``), or is cut by the published rule (``middle_out``). ``samples``,
    ``temperature`` and ``seed`` are of sampled scores alone.
    """

    engine: str = "transformers"
    dtype: str | None = None
    batch_size: int = 8
    context: int = 8192
    max_new_tokens: int = 384
    truncation: str = "none"
    samples: int = 20
    temperature: float = 1.0
    seed: int = 0
    vllm: VllmSettings = VllmSettings()
    api: ApiSettings = field(default_factory=ApiSettings)

    def context_of(self, judge: Judge) -> int:
        """The longest prompt with its answer.

        A judge behind an API and one with an interface of its own have their own window, as in RAIM's release.
        """
        own = judge.weights.kind == "api" or bool(judge.adapter)
        return judge.context if own else min(self.context, judge.context)

    def dtype_of(self, judge: Judge) -> str:
        """The plan's dtype, else the judge's own; what an API computes in is not the plan's to say."""
        return judge.dtype if judge.weights.kind == "api" else self.dtype or judge.dtype

    def beside(self, store: Path) -> Settings:
        """These settings, with the ledgers and batches of judges behind an API kept in a store."""
        return replace(self, api=replace(self.api, folder=store / "api"))


@dataclass(frozen=True)
class Plan:
    """A suite to be made. ``coverage_gate`` is the share of items with a verdict below which it flags a judge."""

    suite: str
    title: str
    benchmarks: Mapping[str, Sample]
    members: tuple[Member, ...]
    sources: Mapping[str, Path]
    settings: Settings
    revisions: Mapping[str, str] = field(default_factory=dict)
    coverage_gate: float = COVERAGE_GATE

    @property
    def scored(self) -> bool:
        """Whether the plan asks for scores: its suite has scored indices then, and is read by JudgeMoE's analysis."""
        return all(asks_for_scores(member.protocol) for member in self.members)

    def judges(self) -> list[Judge]:
        """The judges that take part, in the order of the members, each once, at the plan's or the roster's revision.

        Raises InputError where a judge has neither: records of unknown weights could never be told apart.
        """
        judges = [self.judge(name) for name in dict.fromkeys(member.judge for member in self.members)]
        # Entries of one checkpoint share its commit: the first one's name is asked for.
        unpinned: dict[str, str] = {}
        for judge in judges:
            if not judge.revision:
                unpinned.setdefault(judge.judge, judge.name)
        if unpinned:
            lines = "".join(
                f"\n    {name}: <40 digits>  # from https://huggingface.co/{checkpoint}/commits/main"
                for checkpoint, name in unpinned.items()
            )
            raise InputError(
                "these judges have no pinned revision (the papers name none); look up the commits that you want and "
                f"give them in the configuration:\n  judge:\n   revisions:{lines}"
            )
        return judges

    def judge(self, name: str) -> Judge:
        """A judge of the roster at the revision that the plan gives, else at the roster's, else at none ("").

        A revision given for another entry of the same checkpoint is this one's too.
        """
        judge = find(name)
        alike = {find(other).judge: revision for other, revision in self.revisions.items()}
        revision = self.revisions.get(name, alike.get(judge.judge, judge.revision))
        return replace(judge, revision=revision)


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
    samples = {
        name: _sample(options or {})
        for name, options in (listed if isinstance(listed, dict) else dict.fromkeys(listed)).items()
    }
    members = tuple(
        Member(
            entry["judge"],
            entry["protocol"],
            tuple(entry["benchmarks"]) if "benchmarks" in entry else None,
            entry.get("frame", ""),
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
    _require_one_kind(samples, members)
    require_second_arms(members, samples)
    members = tuple(_applicable(member, samples) for member in members)
    return Plan(
        suite=section["suite"],
        title=section.get("title", section["suite"]),
        benchmarks=samples,
        members=members,
        sources={name: base / path for name, path in section.get("sources", {}).items()},
        settings=_settings(section.get("settings", {})),
        revisions=revisions,
        coverage_gate=section.get("coverage_gate", COVERAGE_GATE),
    )


def _settings(options: Mapping[str, Any]) -> Settings:
    own = {
        "vllm": VllmSettings(**options.get("vllm", {})),
        "api": ApiSettings(**options.get("api", {})),
    }
    return Settings(**{**options, **own})


def _sample(options: Mapping[str, Any]) -> Sample:
    return Sample(**{**options, "aspects": tuple(options.get("aspects", ()))})


def _applicable(member: Member, names: Iterable[str]) -> Member:
    """The member with the benchmarks that its judge can say something about.

    Raises InputError where a judge's interface is not the protocol, and where it is to judge what has no document.
    """
    judge = find(member.judge)
    own = "expert" if judge.role == "expert" else "native" if judge.adapter else ""
    asked = member.protocol.partition("-")[0]
    if own != (asked if asked in ("expert", "native") else ""):
        protocols = {
            "expert": "a protocol such as expert-1-10",
            "native": "the protocol native, its own interface",
        }
        raise InputError(
            f"judge: members: {member.name}: give {judge.name} "
            f"{protocols.get(own, 'a protocol of judges that are asked in words, such as generative or constrained')}"
        )
    if not judge.needs_document:
        return member
    grounded = tuple(name for name in names if registry.find(name).tier != "ungrounded")
    ungrounded = sorted(set(member.benchmarks or ()) - set(grounded))
    if ungrounded or not grounded:
        raise InputError(
            f"judge: members: {member.name}: verifies a claim against a document, which "
            f"{', '.join(ungrounded or names)} does not supply; leave it out"
        )
    return replace(member, benchmarks=member.benchmarks or grounded)


def _require_one_kind(samples: Mapping[str, Sample], members: Sequence[Member]) -> None:
    """A suite holds scores or verdicts: its files and its readers differ.

    Raises InputError that names what is of the other kind.
    """
    scored = [name in score_datasets() for name in samples]
    if any(scored) and not all(scored):
        raise InputError(
            f"judge: benchmarks: {', '.join(name for name in samples if name in score_datasets())} ask for scores and "
            f"the others for verdicts; give each kind a plan of its own"
        )
    other = [member.name for member in members if asks_for_scores(member.protocol) != all(scored)]
    if other:
        raise InputError(
            f"judge: members: {', '.join(other)}: the benchmarks ask for "
            + (
                "scores: give a protocol such as probabilities-1-5"
                if all(scored)
                else "verdicts: give the protocol generative or constrained"
            )
        )
    aspects = [] if all(scored) else [name for name, sample in samples.items() if sample.aspects]
    if aspects:
        raise InputError(f"judge: benchmarks: {', '.join(aspects)}: only datasets of scores have `aspects`")


def asks_for_scores(protocol: str) -> bool:
    """Whether a protocol's name is one of scores (:mod:`verdicts.protocols.scores`, ``expert``)."""
    return protocol.startswith(("probabilities-", "samples-", "decoded-", "expert-"))


def items_of(plan: Plan, names: Sequence[str] | None = None) -> list[tuple[Asked, Sequence[Subject]]]:
    """The plan's benchmarks (or those named, in that order) with the items drawn of each.

    Raises InputError on a benchmark that the plan does not have, and on any source that cannot be read.
    """
    unknown = sorted(set(names or ()) - set(plan.benchmarks))
    if unknown:
        raise InputError(
            f"{', '.join(unknown)} is not among the plan's benchmarks: {', '.join(plan.benchmarks)}"
        )
    return [_drawn(plan, name) for name in names or plan.benchmarks]


def _drawn(plan: Plan, name: str) -> tuple[Asked, Sequence[Subject]]:
    sample, source = plan.benchmarks[name], plan.sources.get(name)
    dataset = score_datasets().get(name)
    if dataset is not None:
        return dataset, draw(load_scores(dataset, source, sample.aspects), sample)
    benchmark = registry.find(name)
    items = load_items(benchmark, source)
    if any(member.protocol == "probe" and member.judges(name) for member in plan.members):
        # From all items: a sample or a slice of them would have other examples.
        benchmark = with_examples(benchmark, items)
    return benchmark, draw(items, sample)


def draw(items: Sequence[Item], sample: Sample) -> list[Item]:
    """The items of ``sample.clusters`` clusters, in their order; clusters are drawn whole, without replacement.

    Clusters are numbered by first appearance and drawn with ``default_rng(seed).permutation``.
    """
    clusters = list(dict.fromkeys(item.cluster for item in items))
    if sample.clusters is None or sample.clusters >= len(clusters):
        return list(items)
    chosen = np.random.default_rng(sample.seed).permutation(len(clusters))[: sample.clusters]
    kept = {clusters[i] for i in chosen}
    return [item for item in items if item.cluster in kept]
