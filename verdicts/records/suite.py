"""A suite's description: who is in it, in which order, and what kind of evidence it is."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.records.canonical import canonical
from verdicts.records.plain import made, parse

#: The share of items with a verdict below which RAIM flags a judge (appendix K).
COVERAGE_GATE = 0.95
#: The tier of a dataset of scores, whose index is a scored one.
SCORES = "scores"
#: Fields that are written where they say something: descriptions from before there were such stay what they are.
_OPTIONAL = ("needs_document", "benchmarks", "coverage_gate")


@dataclass(frozen=True)
class SuiteBenchmark:
    """A benchmark as a suite carries it. ``sampled`` says how the items were drawn, empty where all were taken."""

    title: str
    tier: str
    frame: str
    content: str = ""
    sampled: str = ""


@dataclass(frozen=True)
class SuiteMember:
    """A member: a judge under a protocol. ``role`` is ``member``, or what a comparator is for:

    ``frontier``, ``larger``, ``purpose_trained``; ``def_on``, another member's or comparator's second arm under the
    question-answering frame, which ``arm_of`` names; ``probe_base`` and ``probe_instruct``, a checkpoint before and
    after instruction tuning under the constrained scorer, twins having one ``tag``. ``needs_document`` marks a judge
    that verifies a claim against a document: ungrounded benchmarks are not applicable to it. ``benchmarks`` are those
    that it is asked about, empty where it is asked about all: what is not there of them is missing.
    """

    tag: str
    judge: str
    revision: str
    protocol: str
    developer: str = ""
    parameters: str = ""
    licence: str = ""
    role: str = "member"
    arm_of: str = ""
    needs_document: bool = False
    benchmarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Suite:
    """``suite.json``. Members stand in roster order, benchmarks in the order in which they were planned.

    ``label`` is printed in every caption: SIMULATED, or what a reader must know of the judges. A judge that gives a
    verdict on a smaller share of a benchmark than ``coverage_gate`` is flagged wherever it is shown, and never hidden.
    """

    suite: str
    title: str
    label: str
    benchmarks: Mapping[str, SuiteBenchmark]
    members: Mapping[str, SuiteMember]
    coverage_gate: float = COVERAGE_GATE


def read_suite(folder: Path) -> Suite:
    """The description of a suite. Raises InputError where there is none that can be read."""
    path = folder / "suite.json"
    try:
        value = parse(path.read_text(encoding="utf-8"))
        # What no file can hold would fail where it is printed, half-way through.
        canonical(value).encode("utf-8")
        benchmarks = {name: made(SuiteBenchmark, entry) for name, entry in value["benchmarks"].items()}
        members = {name: made(SuiteMember, entry) for name, entry in value["members"].items()}
        if any(not isinstance(asked, str) for member in members.values() for asked in member.benchmarks):
            raise TypeError("a member's benchmarks are names")
        for name in (value["suite"], *benchmarks, *members):
            if Path(name).name != name or name.startswith("."):
                raise ValueError(f"{name!r} names files and is no file's name")
        return made(Suite, {**value, "benchmarks": benchmarks, "members": members})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path}: cannot read the suite's description ({error}); restore or export it again, or, "
            f"where a newer version wrote it, upgrade raim"
        ) from error


def member_json(member: SuiteMember) -> dict[str, Any]:
    """A member as plain values, as ``suite.json`` has it."""
    values = _without_defaults(member)
    return {**values, "benchmarks": list(member.benchmarks)} if member.benchmarks else values


def write_suite(folder: Path, suite: Suite) -> None:
    """Write ``suite.json`` atomically; the order of benchmarks and members is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / ".suite.json.tmp"
    members = {name: member_json(member) for name, member in suite.members.items()}
    described = {**_without_defaults(suite), "members": members}
    temporary.write_text(json.dumps(described, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(temporary, folder / "suite.json")


def _without_defaults(described: SuiteMember | Suite) -> dict[str, Any]:
    values = asdict(described)
    for field in fields(described):
        if field.name in _OPTIONAL and values[field.name] == field.default:
            del values[field.name]
    return values
