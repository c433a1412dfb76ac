"""What a suite shall hold: benchmarks, how many clusters of each, and which judges under which protocols.

:mod:`verdicts.plan_file` reads plans from a workflow configuration, :mod:`verdicts.drawing` has their items.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from raim.errors import InputError
from verdicts.engines.api.settings import ApiSettings
from verdicts.judges.roster import Judge, find
from verdicts.records.suite import COVERAGE_GATE


@dataclass(frozen=True)
class Sample:
    """Clusters drawn from a benchmark: all of them where ``clusters`` is None.

    ``aspects`` are the criteria that are taken of a score dataset, all of them where there is none. ``pairs`` is how
    many pairs are drawn of each split that it names of a dataset of preferences; of another split all are taken.
    """

    clusters: int | None = None
    seed: int = 0
    aspects: tuple[str, ...] = ()
    pairs: Mapping[str, int] = field(default_factory=dict)


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
        """The judges that take part: :func:`judges_of` this plan alone."""
        return judges_of([self])

    def judge(self, name: str) -> Judge:
        """A judge of the roster at the revision that the plan gives, else at the roster's, else at none ("").

        A revision given for another entry of the same checkpoint is this one's too.
        """
        judge = find(name)
        alike = {find(other).judge: revision for other, revision in self.revisions.items()}
        revision = self.revisions.get(name, alike.get(judge.judge, judge.revision))
        return replace(judge, revision=revision)


def judges_of(plans: Iterable[Plan]) -> list[Judge]:
    """The plans' judges in the order of their members, each once, at the plans' or the roster's revision.

    Plans of one configuration share its revisions. Raises InputError where a judge has none: records of unknown weights
    could never be told apart.
    """
    judges = {member.judge: plan.judge(member.judge) for plan in plans for member in plan.members}
    # Entries of one checkpoint share its commit: the first one's name is asked for.
    unpinned: dict[str, str] = {}
    for judge in judges.values():
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
    return list(judges.values())


def asks_for_scores(protocol: str) -> bool:
    """Whether a protocol's name is one of scores (:mod:`verdicts.protocols.scores`, ``expert``)."""
    return protocol.startswith(("probabilities-", "samples-", "decoded-", "expert-"))
