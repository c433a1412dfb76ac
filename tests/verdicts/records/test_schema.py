"""Conditions, keys and values: what enters a key, what does not, and what no writer here makes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.verdicts.making import CONDITION, SCORED, record
from verdicts.records.canonical import canonical, digest, sha256_text
from verdicts.records.lines import TornLine, check, decode, encode, key_of
from verdicts.records.schema import (
    SCHEMA_VERSION,
    Condition,
    Distribution,
    Record,
    Verdict,
    value_from_json,
    value_json,
)

DIGEST = "5202557480a231e43f49983fba969b07b3b30d036f715379f6808f141bc4d16d"
KEY = "d72f34bf2c339ee9f57a5525e956a19b32de0e73c4f624b8c68d5dd85563dbb8"
TEXT = st.text(st.characters(min_codepoint=0, max_codepoint=0x10FFFF), max_size=60)


def test_the_key_is_the_digest_of_the_request() -> None:
    item, prompt = "a" * 64, "b" * 64
    request = {"condition": digest(CONDITION.as_json()), "item": item, "prompt": prompt}
    assert CONDITION.key(item, prompt) == digest(request)
    # Keys are for ever: a store and a release made by an earlier version have to be found by this one.
    assert CONDITION.digest == DIGEST
    assert CONDITION.key(item, prompt) == KEY
    assert CONDITION.as_json() == {
        "schema": 1,
        "kind": "verdict",
        "judge": "example/judge-1b",
        "revision": "0" * 40,
        "frame": "def_on/1",
        "chat": {"template": sha256_text("template"), "kwargs": {}},
        "decoding": {
            "mode": "greedy",
            "max_new_tokens": 32,
            "context": 512,
            "truncation": "none",
            "dtype": "float32",
        },
        "labels": None,
    }


CHANGES: list[dict[str, Any]] = [
    {"judge": "example/judge-2b"},
    {"revision": "1" * 40},
    {"frame": "def_on/2"},
    {"chat": None},
    {"chat": {"template": sha256_text("another"), "kwargs": {}}},
    {"chat": {"template": sha256_text("template"), "kwargs": {"enable_thinking": False}}},
    *({"decoding": {**CONDITION.decoding, name: value}} for name, value in [
        ("mode", "sampled"), ("max_new_tokens", 33), ("context", 513), ("truncation", "middle"), ("dtype", "bfloat16"),
    ]),
    {"kind": "distribution", "labels": ("SUPPORTED", "HALLUCINATED")},
    {"kind": "distribution", "labels": ("HALLUCINATED", "SUPPORTED")},
]  # fmt: skip


def test_every_setting_changes_the_key() -> None:
    conditions = [CONDITION, *(replace(CONDITION, **change) for change in CHANGES)]
    assert len({condition.key("a", "b") for condition in conditions}) == len(conditions)
    assert len({CONDITION.key(*pair) for pair in [("a", "b"), ("b", "a"), ("a", "a")]}) == 3


def test_the_order_of_settings_does_not_change_the_key() -> None:
    turned = replace(CONDITION, decoding=dict(reversed(CONDITION.decoding.items())))
    assert turned.digest == CONDITION.digest


@pytest.mark.parametrize("condition", [CONDITION, SCORED, replace(CONDITION, chat=None)])
def test_conditions_come_back_equal(condition: Condition) -> None:
    found = Condition.from_json(json.loads(canonical(condition.as_json())))
    assert found == condition
    assert found.digest == condition.digest


def test_labels_belong_to_distributions() -> None:
    with pytest.raises(ValueError, match="labels"):
        replace(CONDITION, labels=("1", "2"))
    with pytest.raises(ValueError, match="labels"):
        replace(SCORED, labels=None)


@pytest.mark.parametrize("verdict", [2, -1, "1", 0.5])
def test_a_verdict_is_one_of_three(verdict: Any) -> None:
    with pytest.raises(ValueError, match="0, 1 or None"):
        Verdict(verdict, "tail", "stop", 1, 1, "")


@pytest.mark.parametrize(
    ("probabilities", "source", "what"),
    [
        ((0.5, 0.6), "token_probabilities", "sum to 1"),
        ((1.5, -0.5), "token_probabilities", "not negative"),
        ((float("nan"), 0.5), "token_probabilities", "finite"),
        ((float("inf"), 0.0), "token_probabilities", "finite"),
        ((0.5, 0.5), "guessed", "score_source"),
    ],
)
def test_distributions_that_are_none(probabilities: Any, source: Any, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        Distribution(probabilities, 0.0, source, "scored", 1)


def test_a_value_of_another_label_set_is_refused() -> None:
    value = value_json(Distribution((0.5, 0.5), 0.0, "decoded", "scored", 1), with_reply=True)
    with pytest.raises(ValueError, match="2 probabilities for 3 labels"):
        value_from_json("distribution", value, ("1", "2", "3"))


@pytest.mark.parametrize("change", [{"extra": 1}, {"verdict": 3}])
def test_values_that_no_writer_makes(change: dict[str, Any]) -> None:
    value = value_json(record(1).value, with_reply=True)
    with pytest.raises((ValueError, TypeError)):
        value_from_json("verdict", {**value, **change}, None)


@settings(derandomize=True, max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reply=TEXT, rule=TEXT, verdict=st.sampled_from([0, 1, None]), tokens=st.integers(0, 10**6))
def test_any_reply_survives_a_line(reply: str, rule: str, verdict: int | None, tokens: int) -> None:
    """Control characters, quotes, line separators, lone surrogates, emoji: as they were, on one line."""
    value = Verdict(verdict, rule, "stop", tokens, 3, sha256_text(reply), reply=reply)
    whole = Record(CONDITION.key("i", "p"), "i", "p", value, "run", "now")
    line = encode(whole, with_reply=True)
    assert line.count(b"\n") == 1
    assert b"\r" not in line
    assert decode(line, CONDITION) == whole
    assert key_of(line) == whole.key.encode()


@settings(derandomize=True, max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(weights=st.lists(st.floats(1e-12, 1.0), min_size=2, max_size=2), off=st.none() | st.floats(0.0, 1.0))
def test_probabilities_survive_to_the_last_bit(weights: list[float], off: float | None) -> None:
    value = Distribution(tuple(w / sum(weights) for w in weights), off, "token_probabilities", "scored", 7)
    whole = Record(SCORED.key("i", "p"), "i", "p", value, "run", "now")
    assert decode(encode(whole, with_reply=True), SCORED) == whole


@settings(derandomize=True, max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    replies=st.lists(
        st.tuples(TEXT, st.none() | st.integers(1, 5) | st.just("refusal")), min_size=1, max_size=4
    )
)
def test_sampled_replies_stay_in_the_store(replies: list[tuple[str, int | str | None]]) -> None:
    texts, readings = zip(*replies, strict=True)
    value = Distribution((0.5, 0.5), 0.25, "samples", "scored", 7, replies=texts, readings=readings)
    whole = Record(SCORED.key("i", "p"), "i", "p", value, "run", "now")
    assert decode(encode(whole, with_reply=True), SCORED) == whole
    shipped = decode(encode(whole, with_reply=False), SCORED).value
    assert shipped == Distribution((0.5, 0.5), 0.25, "samples", "scored", 7)
    for wrong in (None, (*readings, None)):
        with pytest.raises(ValueError, match="readings"):
            replace(value, readings=wrong)


def test_a_distribution_of_nothing() -> None:
    value = Distribution(None, None, "token_probabilities", "overflow", 9000)
    whole = Record(SCORED.key("i", "p"), "i", "p", value)
    assert decode(encode(whole, with_reply=False), SCORED) == whole


@settings(derandomize=True, max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_damage_to_a_line_is_seen(data: st.DataObject) -> None:
    """A byte changed, cut, or put in: never another record."""
    line = encode(record(1), with_reply=True)
    at = data.draw(st.integers(0, len(line) - 1))
    how = data.draw(st.sampled_from(["change", "cut", "insert", "drop"]))
    byte = bytes([data.draw(st.integers(0, 255))])
    damaged = {
        "change": line[:at] + byte + line[at + 1 :],
        "cut": line[:at],
        "insert": line[:at] + byte + line[at:],
        "drop": line[:at] + line[at + 1 :],
    }[how]
    if damaged != line:
        with pytest.raises(TornLine):
            decode(damaged, CONDITION)


def test_a_line_of_another_condition_is_not_read() -> None:
    line = encode(record(1), with_reply=True)
    check(line)
    with pytest.raises(TornLine, match="not its request's"):
        decode(line, replace(CONDITION, revision="1" * 40))


@pytest.mark.parametrize("line", [b"", b"\n", b"{}\n", b'{"key":"short"}\n', b"\x00" * 200])
def test_lines_that_are_none(line: bytes) -> None:
    with pytest.raises(TornLine):
        check(line)
    with pytest.raises(TornLine):
        key_of(line)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_nothing_that_json_cannot_carry_is_hashed(value: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical({"x": value})


def test_the_schema_is_the_first() -> None:
    assert SCHEMA_VERSION == 1
