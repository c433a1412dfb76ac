"""Stored replies read again, at any time, without judging again.

Verdict replies have two readings, the paper's and the published parser's. Scores and grades have one, the parser of
today; it stands beside the one that is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verdicts.comparators.grader import Grader
from verdicts.comparators.registry import adapter_of
from verdicts.parsing import Parsed, parse, parse_release
from verdicts.records.schema import Condition, Distribution, Record, Verdict
from verdicts.scores.reading import read_again

#: ``paper`` is appendix K's rule, the default; ``release`` the published parser.
READINGS: Mapping[str, Callable[[str], Parsed]] = {"paper": parse, "release": parse_release}

#: Readings of scores and grades: as they stand in the store, and by the parser of today.
AGAIN = ("stored", "today")

#: Rules of replies that are not read: they are no answers.
_UNREAD = ("overflow", "not_finite", "refusal", "unknown")


def has_replies(condition: Condition) -> bool:
    """Whether records of a condition keep what a judge wrote."""
    return condition.kind == "verdict" or condition.decoding.get("mode") in ("samples", "decoded")


def has_two_readings(condition: Condition) -> bool:
    """Whether the replies of a condition are verdicts in the panel's contract, which both parsers read."""
    return condition.kind == "verdict" and grader_of(condition) is None


def grader_of(condition: Condition) -> Grader | None:
    """The adapter whose grades a condition's replies are; None where they are none."""
    adapter = adapter_of(condition.frame) if condition.kind == "verdict" else None
    return adapter if isinstance(adapter, Grader) else None


def reread(
    value: Verdict | Distribution, condition: Condition, reading: str = "paper"
) -> Verdict | Distribution:
    """The value as its replies are read by a reading of verdicts, or, of scores and grades, by the parser of today.

    Prompts that were not asked, replies that are no answers, and records without a reply (probabilities; seeded from a
    release) stay as they are.
    """
    if value.rule in _UNREAD:
        return value
    if isinstance(value, Distribution):
        return value if value.replies is None else read_again(value, condition.labels or ())
    if value.reply is None:
        return value
    grader = grader_of(condition)
    if grader is not None:
        return grader.read_again(value)
    parsed = READINGS[reading](value.reply)
    return replace(value, verdict=parsed.verdict, rule=parsed.rule)


@dataclass(frozen=True)
class Comparison:
    """Two readings over the replies of one condition.

    ``differ`` counts the replies that are read otherwise, ``outdated`` those whose stored reading is not the default
    one's any more. ``committed`` counts by reading the replies that a verdict or score was read from, ``rules`` the
    records by rule.
    """

    replies: int
    differ: int
    outdated: int
    committed: Mapping[str, int]
    rules: Mapping[str, Mapping[str, int]]

    @property
    def share(self) -> float | None:
        """Share of replies on which the readings differ; None without a reply."""
        return self.differ / self.replies if self.replies else None

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "replies": self.replies,
            "differ": self.differ,
            "share": self.share,
            "outdated": self.outdated,
            "committed": dict(self.committed),
            "rules": {reading: dict(rules) for reading, rules in self.rules.items()},
        }


def compare(records: Iterable[Record], condition: Condition) -> Comparison:
    """Read every stored reply of a condition both ways."""
    two = has_two_readings(condition)
    names = tuple(READINGS) if two else AGAIN
    replies = differ = outdated = 0
    committed: Counter[str] = Counter()
    rules: dict[str, Counter[str]] = {reading: Counter() for reading in names}
    for stored in _readable(records):
        # The first is the default reading of verdicts, and what the store says of the others.
        first, second = (
            (reread(stored, condition, reading) for reading in names)
            if two
            else (stored, reread(stored, condition))
        )
        replies += len(_texts(stored))
        differ += _differ(first, second)
        outdated += _differ(stored, first if two else second)
        for reading, value in zip(names, (first, second), strict=True):
            committed[reading] += _committed(value)
            rules[reading][value.rule] += 1
    return Comparison(replies, differ, outdated, {reading: committed[reading] for reading in names}, rules)


def _readable(records: Iterable[Record]) -> Iterator[Verdict | Distribution]:
    return (record.value for record in records if record.value.rule not in _UNREAD and _texts(record.value))


def _texts(value: Verdict | Distribution) -> tuple[str, ...]:
    if isinstance(value, Distribution):
        return value.replies or ()
    return () if value.reply is None else (value.reply,)


def _differ(one: Verdict | Distribution, other: Verdict | Distribution) -> int:
    """How many replies of a record are read otherwise."""
    return sum(a != b for a, b in zip(_read(one), _read(other), strict=True))


def _read(value: Verdict | Distribution) -> Sequence[object]:
    """What each reply of a record is read as."""
    if isinstance(value, Distribution):
        return value.readings or ()
    return [(value.verdict, value.score)]


def _committed(value: Verdict | Distribution) -> int:
    if isinstance(value, Distribution):
        return sum(isinstance(reading, int) for reading in value.readings or ())
    return int(value.verdict is not None)
