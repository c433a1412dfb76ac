"""Plans from a workflow configuration: its ``judge`` section, so that workflow and command line speak of the same.

The section states what all plans share (sources, revisions, where things lie, how jobs run) and lists the plans, each
of which makes one suite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from raim.config import validate
from raim.errors import InputError
from verdicts.arms import require_second_arms
from verdicts.benchmarks import registry
from verdicts.engines.api.settings import ApiSettings
from verdicts.judges.roster import find
from verdicts.plan import Member, Plan, Sample, Settings, VllmSettings, asks_for_scores
from verdicts.records.suite import COVERAGE_GATE
from verdicts.scores.registry import score_datasets

SCHEMA = Path(__file__).resolve().parents[1] / "config" / "schema" / "config.schema.yaml"


def read_plan(path: Path, suite: str | None = None) -> Plan:
    """The plan of a suite in a configuration file; without a name, of the only one that there is.

    Raises InputError that says what to change.
    """
    plans = read_plans(path)
    if suite is None and len(plans) > 1:
        raise InputError(f"{path}: plans the suites {', '.join(plans)}; say which with --suite")
    if suite is not None and suite not in plans:
        raise InputError(f"{path}: plans no suite {suite!r}; it plans {', '.join(plans)}")
    return plans[suite or next(iter(plans))]


def read_plans(path: Path) -> dict[str, Plan]:
    """The plans in a configuration file by suite. Raises InputError that says what to change."""
    try:
        config = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{path}: cannot read the configuration ({error})") from error
    if not isinstance(config, dict) or "judge" not in config:
        raise InputError(f"{path}: has no `judge` section; config/judge.yaml shows one")
    validate(config, SCHEMA)
    return plans_of(config["judge"], path.parent)


def plans_of(section: Mapping[str, Any], base: Path) -> dict[str, Plan]:
    """The plans of a validated ``judge`` section by suite, in their order; relative sources are below ``base``.

    Raises InputError that names the plan and what to change in it.
    """
    revisions = section.get("revisions", {})
    for name in revisions:
        if find(name).weights.kind != "hub":
            raise InputError(
                f"judge: revisions: {name}: its weights are not from a hub, and pinned already; leave it out"
            )
    sources = {name: base / path for name, path in section.get("sources", {}).items()}
    plans: dict[str, Plan] = {}
    for entry in section["plans"]:
        suite = entry["suite"]
        if suite in plans:
            raise InputError(
                f"judge: plans: two of them make the suite {suite!r}; give each a name of its own"
            )
        try:
            plans[suite] = _plan(entry, sources, revisions)
        except InputError as error:
            raise InputError(f"judge: plans: {suite}: {error}") from error
    return plans


def _plan(entry: Mapping[str, Any], sources: Mapping[str, Path], revisions: Mapping[str, str]) -> Plan:
    listed = entry["benchmarks"]
    samples = {
        name: _sample(options or {})
        for name, options in (listed if isinstance(listed, dict) else dict.fromkeys(listed)).items()
    }
    members = tuple(
        Member(
            member["judge"],
            member["protocol"],
            tuple(member["benchmarks"]) if "benchmarks" in member else None,
            member.get("frame", ""),
        )
        for member in entry["members"]
    )
    for member in members:
        find(member.judge)
        unknown = sorted(set(member.benchmarks or ()) - set(samples))
        if unknown:
            raise InputError(f"members: {member.name}: {', '.join(unknown)} is not among the benchmarks")
    name, times = Counter(member.name for member in members).most_common(1)[0]
    if times > 1:
        raise InputError(f"members: {name}: is there {times} times; name all its `benchmarks` in one entry")
    _require_one_kind(samples, members)
    _require_pairs(samples)
    require_second_arms(members, samples)
    return Plan(
        suite=entry["suite"],
        title=entry.get("title", entry["suite"]),
        benchmarks=samples,
        members=tuple(_applicable(member, samples) for member in members),
        sources=sources,
        settings=_settings(entry.get("settings", {})),
        revisions=revisions,
        coverage_gate=entry.get("coverage_gate", COVERAGE_GATE),
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
            f"members: {member.name}: give {judge.name} "
            f"{protocols.get(own, 'a protocol of judges that are asked in words, such as generative or constrained')}"
        )
    if not judge.needs_document:
        return member
    grounded = tuple(name for name in names if registry.find(name).tier != "ungrounded")
    ungrounded = sorted(set(member.benchmarks or ()) - set(grounded))
    if ungrounded or not grounded:
        raise InputError(
            f"members: {member.name}: verifies a claim against a document, which "
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
            f"benchmarks: {', '.join(name for name in samples if name in score_datasets())} ask for scores and "
            f"the others for verdicts; give each kind a plan of its own"
        )
    other = [member.name for member in members if asks_for_scores(member.protocol) != all(scored)]
    if other:
        raise InputError(
            f"members: {', '.join(other)}: the benchmarks ask for "
            + (
                "scores: give a protocol such as probabilities-1-5"
                if all(scored)
                else "verdicts: give the protocol generative or constrained"
            )
        )
    aspects = [] if all(scored) else [name for name, sample in samples.items() if sample.aspects]
    if aspects:
        raise InputError(f"benchmarks: {', '.join(aspects)}: only datasets of scores have `aspects`")


def _require_pairs(samples: Mapping[str, Sample]) -> None:
    """Pairs are drawn of datasets of preferences, by their splits. Raises InputError that names the dataset."""
    for name, sample in samples.items():
        if not sample.pairs:
            continue
        dataset = score_datasets().get(name)
        if dataset is None or not dataset.paired:
            raise InputError(
                f"benchmarks: {name}: is no dataset of preferences, so it has no `pairs` to draw"
            )
        unknown = sorted(set(sample.pairs) - set(dataset.splits))
        if unknown:
            raise InputError(
                f"benchmarks: {name}: pairs: {', '.join(unknown)} is none of its splits: "
                f"{', '.join(dataset.splits) or 'it has none; draw `clusters`'}"
            )
