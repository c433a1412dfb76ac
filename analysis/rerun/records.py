"""What the records of a judge's two runs say beside its verdicts or scores: probabilities, replies, settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from verdicts.records.files import RecordFile
from verdicts.records.schema import Distribution, Record, Run, Verdict

#: The decoding mode of votes that were imported: how they were asked is not recorded.
_IMPORTED = "imported"
#: Why a judge that only one suite has is not compared.
ABSENT = "not in the other suite"

Pairs: TypeAlias = Sequence[tuple[Record, Record]]


def record_pairs(files: Sequence[RecordFile], contents: tuple[Sequence[str], Sequence[str]]) -> Pairs:
    """The records of items that both files have; ``contents`` are the items' hashes in either, in one order."""
    runs = [
        [file.records.get(content) for content in hashes]
        for file, hashes in zip(files, contents, strict=True)
    ]
    return [(a, b) for a, b in zip(*runs, strict=True) if a is not None and b is not None]


def largest_difference(pairs: Pairs) -> float | None:
    """The largest difference between two probabilities of one label on one item; None where none were recorded."""
    shifts = [
        abs(p - q)
        for a, b in pairs
        if isinstance(a.value, Distribution) and isinstance(b.value, Distribution)
        if a.value.probabilities and b.value.probabilities
        for p, q in zip(a.value.probabilities, b.value.probabilities, strict=True)
    ]
    return max(shifts, default=None)


def identical_replies(pairs: Pairs) -> float | None:
    """Share of the items answered in both runs whose replies are the same text; None where none are known."""
    same = [
        a.value.reply_sha256 == b.value.reply_sha256
        for a, b in pairs
        if isinstance(a.value, Verdict) and isinstance(b.value, Verdict)
        if a.value.reply_sha256 and b.value.reply_sha256
    ]
    return sum(same) / len(same) if same else None


def asked_otherwise(first: RecordFile, second: RecordFile) -> list[str] | None:
    """Settings whose values differ between the conditions of two runs, by name; None where one has none recorded."""
    one, other = first.condition.as_json(), second.condition.as_json()
    decoding = (one["decoding"], other["decoding"])
    if _IMPORTED in (settings.get("mode") for settings in decoding):
        return None
    differ = [name for name in one if name != "decoding" and one[name] != other[name]]
    names = sorted({*decoding[0], *decoding[1]})
    return differ + [name for name in names if decoding[0].get(name) != decoding[1].get(name)]


def described(run: Run) -> str:
    """What a run was computed with, in words."""
    packages = ", ".join(f"{name} {version}" for name, version in sorted(run.versions.items()))
    return "; ".join(filter(None, [f"engine {run.engine}", packages, run.hardware]))


def not_compared(
    here: Mapping[str, Any],
    there: Mapping[str, Any],
    counterparts: Mapping[str, str],
    reasons: Mapping[str, str],
) -> dict[str, str]:
    """Why each judge that answered here has no counterpart that answered there.

    ``counterparts`` has the other suite's name of a judge, ``reasons`` says by those names why they have nothing there.
    """
    return {
        name: reasons[counterparts[name]] if name in counterparts else ABSENT
        for name in here
        if counterparts.get(name) not in there
    }
