"""Which files the release may hold of a benchmark, whose verdicts each has, and what its rows must say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeGuard

import yaml

from verdicts.benchmarks.spec import Benchmark
from verdicts.records.suite import SuiteMember
from verdicts.release.rows import Expected

#: The folder of the probe's files.
PROBE = "lp_probe"
_CLAIM_SETS = "aggrefact_"
_ROUNDING = 1e-4


@dataclass(frozen=True)
class File:
    """One file of verdicts.

    Attributes
    ----------
    path : below the tree's root, without ``.gz``
    expected : what its rows say
    frame : the prompt's frame
    members : by checkpoint, the suite's member whose verdicts it holds; None: the file repeats another's rows
    repeats : the file that it was assembled into
    replies : whether the unpacked runs keep the raw reply
    summary : the JSON summary beside it, empty where there is none
    """

    path: str
    expected: Expected
    frame: str
    members: Mapping[str, str] | None
    repeats: str = ""
    replies: bool = True
    summary: str = ""


@cache
def layout() -> Mapping[str, Any]:
    """``layout.yaml``."""
    value: Mapping[str, Any] = yaml.safe_load(
        files("verdicts.release").joinpath("layout.yaml").read_text(encoding="utf-8")
    )
    return value


def member_name(checkpoint: str, protocol: str = "generative") -> str:
    """Name of a judge in the suite. Names sort as checkpoints do, which breaks ties in the release."""
    return f"{checkpoint.replace('/', '--')}.{protocol}"


def members(licences: Mapping[str, str]) -> dict[str, SuiteMember]:
    """Every member that the release can have, in the suite's order; ``licences`` by checkpoint."""
    found: dict[str, SuiteMember] = {}
    panel, judges = layout()["panel"], layout()["judges"]
    for checkpoint, entry in panel.items():
        found[member_name(checkpoint)] = _member(checkpoint, entry, "member", licences)
    for entry in judges.values():
        protocol = _protocol(entry)
        found[member_name(entry["model"], protocol)] = _member(
            entry["model"], entry, entry["role"], licences, protocol=protocol
        )
    for checkpoint, entry in panel.items():
        arm = _member(checkpoint, entry, "def_on", licences, arm_of=member_name(checkpoint))
        found[_second_arm(checkpoint)] = arm
    for key in layout()["second_arms"].values():
        checkpoint = judges[key]["model"]
        arm = _member(checkpoint, judges[key], "def_on", licences, arm_of=member_name(checkpoint))
        found[_second_arm(checkpoint)] = arm
    for arm_name, role in (("base", "probe_base"), ("inst", "probe_instruct")):
        for entry in layout()["probe"]["families"].values():
            checkpoint = entry[arm_name]
            found[member_name(checkpoint, "probe")] = _member(
                checkpoint, entry, role, licences, protocol="probe"
            )
    return found


def contents(benchmark: Benchmark) -> Iterator[File]:
    """Every file that the release can hold of a benchmark; panels of the probe before the files they are made of."""
    name = str(benchmark.release_name)
    claims = name.startswith(_CLAIM_SETS)
    own = "claimcheck" if claims else "def_on"
    panel = list(layout()["panel"])
    yield _generative(f"{name}/experiment.jsonl", own, {model: member_name(model) for model in panel})
    if claims:
        arms = {model: _second_arm(model) for model in panel}
        yield _generative(f"{name}/experiment_defon.jsonl", "def_on", arms)
    for key, entry in layout()["judges"].items():
        yield from _judge(benchmark, key, entry, own)
    if claims:
        for key, judge in layout()["second_arms"].items():
            model = layout()["judges"][judge]["model"]
            path = f"{name}/judge_{key}.jsonl"
            yield _generative(path, "def_on", {model: _second_arm(model)}, _summary(path))
    yield from _probe(name, own)


def _generative(path: str, frame: str, named: Mapping[str, str], summary: str = "") -> File:
    constants = {"condition": frame, "fmt": layout()["fmt"], "paraphrase": layout()["paraphrase"]}
    return File(path, Expected({model: model for model in named}, constants), frame, named, summary=summary)


def _judge(benchmark: Benchmark, key: str, entry: Mapping[str, Any], own: str) -> Iterator[File]:
    path = f"{benchmark.release_name}/judge_{key}.jsonl"
    model = entry["model"]
    named = {model: member_name(model, _protocol(entry))}
    if "judge" not in entry:
        yield _generative(path, own, named, _summary(path))
        return
    package = bool(entry.get("package"))
    if package and benchmark.tier == "ungrounded":
        return
    claimcheck = package or own == "claimcheck"
    expected = Expected(
        dict.fromkeys((model, *entry.get("models", ())), model),
        {"judge": entry["judge"], "frame": "claimcheck" if claimcheck else "qa"},
        check=_package_score if package else _score,
    )
    yield File(
        path, expected, "claimcheck" if claimcheck else "def_on", named, replies=False, summary=_summary(path)
    )


def _probe(name: str, own: str) -> Iterator[File]:
    probe = layout()["probe"]
    constants = {"condition": own, "fmt": probe["fmt"], "scorer": probe["scorer"]}
    for arm in ("base", "inst"):
        models = [entry[arm] for entry in probe["families"].values()]
        panel = f"{PROBE}/{name}_lp{arm}_v3_panel.jsonl"
        expected = Expected({model: model for model in models}, constants, partial=True, check=_probability)
        yield File(
            panel, expected, own, {model: member_name(model, "probe") for model in models}, replies=False
        )
        for family, entry in probe["families"].items():
            one = Expected({entry[arm]: entry[arm]}, constants, partial=True, check=_probability)
            path = f"{PROBE}/{name}_lp_{family}_{arm}_v3.jsonl"
            yield File(path, one, own, None, repeats=panel, replies=False)


def _protocol(entry: Mapping[str, Any]) -> str:
    """A purpose-trained judge is asked through an interface of its own."""
    return "native" if "judge" in entry else "generative"


def _second_arm(checkpoint: str) -> str:
    return f"{member_name(checkpoint)}.def_on"


def _summary(path: str) -> str:
    return path.removesuffix("l")


def _member(
    checkpoint: str,
    entry: Mapping[str, Any],
    role: str,
    licences: Mapping[str, str],
    *,
    protocol: str = "generative",
    arm_of: str = "",
) -> SuiteMember:
    return SuiteMember(
        tag=entry["tag"],
        judge=checkpoint,
        revision="",
        protocol=protocol,
        developer=entry["developer"],
        parameters=entry.get("parameters", ""),
        licence=licences.get(checkpoint, ""),
        role=role,
        arm_of=arm_of,
        needs_document=bool(entry.get("package")),
    )


def _score(row: Mapping[str, Any]) -> str | None:
    """A native score at or above its threshold is support; none is an abstention."""
    score, threshold = row.get("score"), row.get("threshold")
    if score is None:
        return None if row["pred"] is None else "a verdict without a score"
    if not _is_number(score) or not _is_number(threshold):
        return f"score {score!r} and threshold {threshold!r} are no numbers"
    if row["pred"] != int(score < threshold):
        return f"pred {row['pred']!r} is not what score {score!r} at threshold {threshold!r} says"
    return None


def _package_score(row: Mapping[str, Any]) -> str | None:
    """The package's own label stands; its score is a probability."""
    score = row.get("score")
    return None if _is_number(score) and 0 <= score <= 1 else f"score {score!r} is no probability"


def _probability(row: Mapping[str, Any]) -> str | None:
    """Yes (supported) from a probability of one half on; no probability is an abstention."""
    yes = row.get("prob_yes")
    if yes is None:
        return None if row["pred"] is None else "a verdict without prob_yes"
    if not _is_number(yes) or not 0 <= yes <= 1:
        return f"prob_yes {yes!r} is no probability"
    # A probability that was rounded to one half says neither.
    if abs(yes - 0.5) > _ROUNDING and row["pred"] != int(yes < 0.5):
        return f"pred {row['pred']!r} is not what prob_yes {yes!r} says"
    return None


def _is_number(value: object) -> TypeGuard[float]:
    # JSON as Python reads it holds NaN, which agrees with every verdict of support.
    return type(value) in (int, float) and -math.inf < value < math.inf  # type: ignore[operator]
