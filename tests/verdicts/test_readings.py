"""Stored replies read again by both parsers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verdicts.making import CHAT, CONDITION, JUDGE, SCORED, record
from verdicts.engines.base import Reply
from verdicts.parsing import parse, parse_release
from verdicts.plan import Settings
from verdicts.protocols import protocol
from verdicts.readings import READINGS, compare, has_replies, reread
from verdicts.records.canonical import sha256_text
from verdicts.records.lines import decode, encode
from verdicts.records.schema import Condition, Distribution, Record, ScoreSource, Verdict
from verdicts.scores.parsing import parse_score
from verdicts.scores.reading import read_replies

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
    after = reread(before, CONDITION, reading)
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
            assert reread(value, CONDITION, reading) is value


def test_the_comparison_counts_both_readings() -> None:
    records = [of(reply, n) for n, reply in enumerate(REPLIES)]
    records += [of(None, 90), of("", 91, rule="overflow", verdict=None), record(92, condition=SCORED)]
    found = compare(records, CONDITION)
    pairs = [(parse(reply).verdict, parse_release(reply).verdict) for reply in REPLIES]
    assert found.replies == 7
    assert found.differ == sum(a != b for a, b in pairs) == 2
    assert found.share == pytest.approx(2 / 7)
    assert found.outdated == sum(a != 0 for a, _ in pairs)
    assert found.committed == {"paper": 5, "release": 5}
    assert sum(found.rules["paper"].values()) == sum(found.rules["release"].values()) == 7
    assert found.as_json()["share"] == found.share


def test_nothing_to_compare_has_no_share() -> None:
    assert compare([], CONDITION).share is None
    assert compare([record(1, condition=SCORED)], SCORED).replies == 0
    assert has_replies(CONDITION)
    assert not has_replies(SCORED)


def asked(name: str) -> Condition:
    make, _ = protocol(name)
    return make(JUDGE, "summarization/1", CHAT, Settings())


def scored(texts: Sequence[str], source: ScoreSource, finishes: Sequence[Any] = ()) -> Distribution:
    """What a run stores of these replies."""
    replies = [
        Reply(text, finish, 30, 2)
        for text, finish in zip(texts, finishes or ["stop"] * len(texts), strict=True)
    ]
    return read_replies(replies, ("1", "2", "3", "4", "5"), source, 0)


def stored(condition: Condition, *values: Verdict | Distribution) -> list[Record]:
    return [replace(record(n, condition=condition), value=value) for n, value in enumerate(values)]


TEXTS = st.sampled_from(["4", "Score: 2", "1 to 5", "", "I cannot say", "5/5", "<think>3</think> 1", "7"])
FINISHES = st.sampled_from(["stop", "length", "refusal", "not_finite"])


@settings(derandomize=True, max_examples=200, deadline=None)
@given(drawn=st.lists(st.tuples(TEXTS, FINISHES), min_size=1, max_size=25))
def test_scores_are_read_again_as_they_were_read(drawn: list[tuple[str, str]]) -> None:
    """Also behind a store's lines, and also where replies are no answers; counted by hand."""
    texts, finishes = zip(*drawn, strict=True)
    value = scored(texts, "samples", finishes)
    condition = asked("samples-1-5")
    line = encode(stored(condition, value)[0], with_reply=True)
    assert decode(line, condition).value == value == reread(value, condition)
    read = [parse_score(t, 1, 5) if f in ("stop", "length") else f for t, f in drawn]
    assert value.readings == tuple(read)
    found = [score for score in read if isinstance(score, int)]
    assert value.off_label_mass == pytest.approx(1 - len(found) / len(read))
    assert (value.probabilities is None) == (not found)


def test_scores_that_another_parser_read_are_counted() -> None:
    condition = asked("samples-1-5")
    value = scored(["4", "4", "2", "no", "5", "Score: 4"], "samples")
    # The parser before found 1 in the fourth reply and nothing in the last.
    before = replace(value, probabilities=(0.2, 0.2, 0.0, 0.4, 0.2), readings=(4, 4, 2, 1, 5, None))
    silent = scored(["no", ""], "samples")
    over = Distribution(None, None, "samples", "overflow", 9000)
    found = compare(stored(condition, before, value, silent, over), condition)
    assert (found.replies, found.differ, found.outdated) == (14, 2, 2)
    assert found.committed == {"stored": 10, "today": 10}
    assert found.rules == {"stored": {"scored": 2, "unparsed": 1}, "today": {"scored": 2, "unparsed": 1}}
    assert reread(before, condition) == value
    assert compare(stored(condition, value), condition).share == 0


def test_a_decoded_score_is_one_reply() -> None:
    condition = asked("decoded-1-5")
    value = scored(["Score: 3"], "decoded")
    found = compare(
        stored(
            condition,
            value,
            replace(value, probabilities=None, rule="unparsed", readings=(None,)),
            scored(["x"], "decoded"),
        ),
        condition,
    )
    assert (found.replies, found.differ) == (3, 1)
    assert found.committed == {"stored": 1, "today": 2}


@pytest.mark.parametrize("rule", ["refusal", "unknown", "not_finite"])
def test_what_is_no_answer_is_never_read(rule: str) -> None:
    """Whole, or one sample of several: a text that was cut off can look like a score."""
    value = scored(["4"], "decoded", [rule])
    assert (value.rule, value.probabilities, value.readings) == (rule, None, (rule,))
    assert reread(value, asked("decoded-1-5")) == value
    assert compare(stored(asked("decoded-1-5"), value), asked("decoded-1-5")).replies == 0
    mixed = scored(["4", "2"], "samples", [rule, "stop"])
    assert mixed.probabilities == (0.0, 1.0, 0.0, 0.0, 0.0)
    assert reread(mixed, asked("samples-1-5")) == mixed


def test_grades_are_read_by_their_judges_rule() -> None:
    condition = replace(CONDITION, frame="prometheus2-def_on/1")
    reply = "VERDICT: HALLUCINATED, no. [RESULT] 4"
    value = Verdict(None, "no_grade", "stop", 9, 9, sha256_text(reply), reply=reply)
    for reading in READINGS:
        again = reread(value, condition, reading)
        assert isinstance(again, Verdict)
        assert (again.verdict, again.rule, again.score) == (0, "grade", 4.0)
    found = compare(stored(condition, value, again), condition)
    assert (found.replies, found.differ, found.outdated) == (2, 1, 1)
    assert found.committed == {"stored": 1, "today": 2}
    # A grade that moves within one verdict is another reading as well.
    moved = replace(again, score=5.0)
    assert compare(stored(condition, moved), condition).differ == 1
