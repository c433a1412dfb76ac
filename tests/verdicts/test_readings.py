"""Stored replies read again by both parsers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.verdicts.making import CONDITION, SCORED, record
from verdicts.parsing import parse, parse_release
from verdicts.readings import READINGS, compare, reread
from verdicts.records.canonical import sha256_text
from verdicts.records.schema import Record, Verdict

REPLIES = [
    "VERDICT: SUPPORTED",
    "VERDICT: HALLUCINATED",
    "VERDICT: UNSUPPORTED",
    "VERDICT: NOT SUPPORTED",
    "The claim is hallucinated, not supported.",
    "No idea.",
    "",
]


def of(reply: str | None, number: int = 0, **changes: object) -> Record:
    value = Verdict(0, "verdict_line", "stop", 1, 1, sha256_text(reply or ""), reply=reply)
    return replace(record(number), value=replace(value, **changes))  # type: ignore[arg-type]


def test_the_readings_are_the_two_parsers() -> None:
    assert {"paper": parse, "release": parse_release} == READINGS


@pytest.mark.parametrize("reply", REPLIES)
@pytest.mark.parametrize("reading", READINGS)
def test_a_verdict_is_what_its_reply_says(reply: str, reading: str) -> None:
    before = of(reply).value
    after = reread(before, reading)
    parsed = READINGS[reading](reply)
    assert isinstance(after, Verdict)
    assert (after.verdict, after.rule) == (parsed.verdict, parsed.rule)
    assert replace(after, verdict=0, rule="verdict_line") == before


def test_what_has_no_reply_to_read_stays() -> None:
    for value in (
        of(None, verdict=1).value,
        of("", rule="overflow", verdict=None).value,
        of("VERDICT: SUPPORTED", rule="not_finite", verdict=None).value,
        record(1, condition=SCORED).value,
    ):
        for reading in READINGS:
            assert reread(value, reading) is value


def test_the_comparison_counts_both_readings() -> None:
    records = [of(reply, n) for n, reply in enumerate(REPLIES)]
    records += [of(None, 90), of("", 91, rule="overflow", verdict=None), record(92, condition=SCORED)]
    found = compare(records)
    pairs = [(parse(reply).verdict, parse_release(reply).verdict) for reply in REPLIES]
    assert found.replies == 7
    assert found.differ == sum(a != b for a, b in pairs) == 2
    assert found.share == pytest.approx(2 / 7)
    assert found.outdated == sum(a != 0 for a, _ in pairs)
    assert found.committed == {"paper": 5, "release": 5}
    assert sum(found.rules["paper"].values()) == sum(found.rules["release"].values()) == 7
    assert found.as_json()["share"] == found.share


def test_nothing_to_compare_has_no_share() -> None:
    assert compare([]).share is None
    assert compare([record(1, condition=SCORED)]).replies == 0
    assert CONDITION.kind == "verdict"
