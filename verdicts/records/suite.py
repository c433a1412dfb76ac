"""A suite's description: who is in it, in which order, and what kind of evidence it is."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from raim.errors import InputError


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
    that verifies a claim against a document: ungrounded benchmarks are not applicable to it.
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


@dataclass(frozen=True)
class Suite:
    """``suite.json``. Members stand in roster order, benchmarks in the order in which they were planned.

    ``label`` is printed in every caption: SIMULATED, or what a reader must know of the judges.
    """

    suite: str
    title: str
    label: str
    benchmarks: Mapping[str, SuiteBenchmark]
    members: Mapping[str, SuiteMember]


def read_suite(folder: Path) -> Suite:
    """The description of a suite. Raises InputError where there is none that can be read."""
    path = folder / "suite.json"
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        return Suite(
            suite=value["suite"],
            title=value["title"],
            label=value["label"],
            benchmarks={name: SuiteBenchmark(**entry) for name, entry in value["benchmarks"].items()},
            members={name: SuiteMember(**entry) for name, entry in value["members"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{path}: cannot read the suite's description ({error}); restore or export it again"
        ) from error


def write_suite(folder: Path, suite: Suite) -> None:
    """Write ``suite.json`` atomically; the order of benchmarks and members is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / ".suite.json.tmp"
    described = asdict(suite)
    for member in described["members"].values():
        # Only where it is true: descriptions written before there were such judges stay what they are.
        if not member["needs_document"]:
            del member["needs_document"]
    temporary.write_text(json.dumps(described, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(temporary, folder / "suite.json")
