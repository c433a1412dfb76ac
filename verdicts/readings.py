"""Stored replies read again: by either parser, at any time, without judging again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from verdicts.parsing import Parsed, parse, parse_release
from verdicts.records.schema import Distribution, Record, Verdict

#: ``paper`` is appendix K's rule, the default; ``release`` the published parser.
READINGS: Mapping[str, Callable[[str], Parsed]] = {"paper": parse, "release": parse_release}

#: Rules of replies that are not read: they are no answers, or grades, which their judge's adapter reads.
_UNREAD = ("overflow", "not_finite", "refusal", "unknown", "grade", "no_grade")


def reread(value: Verdict | Distribution, reading: str) -> Verdict | Distribution:
    """The value with its verdict and rule taken from its reply by a reading.

    Distributions, grades, prompts that were not asked and records without a reply (seeded from a release) stay as they
    are.
    """
    if isinstance(value, Distribution) or value.reply is None or value.rule in _UNREAD:
        return value
    parsed = READINGS[reading](value.reply)
    return replace(value, verdict=parsed.verdict, rule=parsed.rule)


@dataclass(frozen=True)
class Comparison:
    """Both readings over the replies of one condition.

    ``differ`` counts the replies whose verdict differs between the readings, ``outdated`` those whose stored verdict
    is not the default reading's any more; ``rules`` counts the rules of each reading, ``committed`` its verdicts.
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


def compare(records: Iterable[Record]) -> Comparison:
    """Read every stored reply both ways."""
    replies = differ = outdated = 0
    committed: Counter[str] = Counter()
    rules: dict[str, Counter[str]] = {reading: Counter() for reading in READINGS}
    for record in records:
        stored = record.value
        if isinstance(stored, Distribution) or stored.reply is None or stored.rule in _UNREAD:
            continue
        replies += 1
        read = {reading: parse(stored.reply) for reading, parse in READINGS.items()}
        differ += read["paper"].verdict != read["release"].verdict
        outdated += read["paper"].verdict != stored.verdict
        for reading, parsed in read.items():
            committed[reading] += parsed.verdict is not None
            rules[reading][parsed.rule] += 1
    return Comparison(replies, differ, outdated, {reading: committed[reading] for reading in READINGS}, rules)
