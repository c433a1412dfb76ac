"""Reasoning is never read as the answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.parsing import Parsed, parse
from verdicts.reasoning import answer
from verdicts.scores.parsing import parse_score

LAW = settings(derandomize=True, max_examples=200, deadline=None)
THOUGHT = st.text(max_size=30) | st.sampled_from(["VERDICT: HALLUCINATED", "Score: 2", "it is hallucinated"])


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("VERDICT: SUPPORTED", "VERDICT: SUPPORTED"),
        ("<think>VERDICT: HALLUCINATED</think>\nVERDICT: SUPPORTED", "\nVERDICT: SUPPORTED"),
        ("VERDICT: HALLUCINATED so far.\n</think>\n\nVERDICT: SUPPORTED", "\n\nVERDICT: SUPPORTED"),
        ("<think>a</think>b<think>c</think>d", "d"),
        ("<think>VERDICT: HALLUCINATED, but wait", ""),
        ("VERDICT: SUPPORTED\n<think>VERDICT: HALLUCINATED", "VERDICT: SUPPORTED\n"),
        ("<think></think>", ""),
        ("", ""),
    ],
    ids=range(8),
)
def test_what_stands_outside_the_reasoning(reply: str, said: str) -> None:
    assert answer(reply) == said


@LAW
@given(thought=THOUGHT.filter(lambda text: "think>" not in text))
def test_a_verdict_in_the_reasoning_is_none(thought: str) -> None:
    for opening in ("<think>", ""):
        assert parse(f"{opening}{thought}</think>\nVERDICT: SUPPORTED") == Parsed(0, "verdict_line")
        assert parse(f"{opening}{thought}</think>\n") == Parsed(None, "unparsed")
        assert parse_score(f"{opening}{thought}</think>\n4", 1, 5) == 4
        assert parse_score(f"{opening}{thought}</think>\n", 1, 5) is None
    # Cut off by the budget of new tokens: the judge has not answered yet.
    assert parse(f"<think>{thought}") == Parsed(None, "unparsed")
    assert parse_score(f"<think>{thought}", 1, 5) is None


def test_replies_without_reasoning_are_read_as_before() -> None:
    assert parse("I think it is supported.") == Parsed(0, "tail")
    assert parse("") == Parsed(None, "empty")
    assert parse_score("4", 1, 5) == 4
