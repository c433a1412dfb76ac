"""From a reply to a score: where the answer stands, and the digits that are no answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.scores.parsing import parse_score
from verdicts.scores.templates import STYLES

STATED = {
    "4": 4,
    " 4\n": 4,
    "4.": 4,
    "**4**": 4,
    "**Score: 4**": 4,
    "Score: 4": 4,
    "Score: **4** out of 5": 4,
    "score = 2": 2,
    "Rating: 3/5": 3,
    "4/5": 4,
    "4 out of 5": 4,
    "4 (good)": 4,
    "4 - a clear summary": 4,
    "4, because two facts are missing": 4,
    "4\n\nThe summary omits 2 facts.": 4,
    "3 stars": 3,
    "4.0": 4,
    "4.00\nGood.": 4,
    "Score: 4.0/5.0": 4,
    "Score (1-5): 4": 4,
    "Score (from 1 to 5): 4": 4,
    "The score is 4.": 4,
    "I would rate it 4.": 4,
    "I'd rate this summary a 4 out of 5.": 4,
    "On a scale from 1 to 5, my rating is 2": 2,
    '{"score": 4}': 4,
    "Score:\n4": 4,
    "Considering its 3 sentences and 2 errors, it is weak.\nScore: 2": 2,
    "The 5 steps hold. Rating: 3": 3,
    "Score: 7 or rather 4": 4,
    "Score: 4 because 2 facts are missing": 4,
    "Score: the summary gets a 4.": 4,
    "score of 1 would be harsh; Score: 3": 3,
}
SILENT = [
    "",
    "   ",
    "excellent",
    "3 facts are missing",
    "3 out of 5 facts are missing",
    "The summary has 3 sentences.",
    "In 2019 the river rose 4 times",
    "7",
    "7 (3 flaws)",
    "Score: 7, for its 3 flaws",
    "Score: high, with 3 flaws",
    "0",
    "-3",
    "4.5",
    "3,5",
    "Score: 4.5",
    "Score: 44",
    "Score: high",
    "1 to 5",
    "from 1 to 5",
    "out of 5",
    "Return only a score from 1 to 5.",
    "1. The summary is short.\n2. It is clear.",
    "Step 2 - They are not fighting.",
    "underscore: 4",
]


@pytest.mark.parametrize(("reply", "score"), STATED.items(), ids=[repr(reply) for reply in STATED])
def test_a_stated_score_is_read(reply: str, score: int) -> None:
    assert parse_score(reply, 1, 5) == score


@pytest.mark.parametrize("reply", SILENT, ids=repr)
def test_digits_that_state_no_score_abstain(reply: str) -> None:
    assert parse_score(reply, 1, 5) is None


def test_ten_is_not_one() -> None:
    assert parse_score("10", 1, 10) == 10
    assert parse_score("Score: 10/10", 1, 10) == 10
    assert parse_score("10", 1, 5) is None
    assert parse_score("100", 1, 100) == 100
    assert parse_score("Score: 1", 1, 100) == 1


@pytest.mark.parametrize("style", STYLES)
def test_a_repeated_prompt_is_passed_over(style: str) -> None:
    echo = f"The score is 2.\n{STYLES[style].format(low=1, high=5)}\n\nReturn only a score from 1 to 5.\n"
    assert parse_score(echo, 1, 5) is None
    assert parse_score(f"{echo}\n4", 1, 5) == 4
    assert parse_score(f"{echo}It misses 3 facts.\nScore: 1", 1, 5) == 1


def test_a_checkpoint_that_goes_on_with_prompts_of_its_own_has_answered_before() -> None:
    invented = "\n\nSOURCE DOCUMENT:\nText.\n\nReturn only a score from 1 to 5.\nScore: 2"
    assert parse_score(f"4{invented}", 1, 5) == 4
    assert parse_score(f"Good.{invented}", 1, 5) == 2
    assert (
        parse_score(f"You are an expert. Text of 3 lines.{invented}{invented.replace('2', '5')}", 1, 5) == 2
    )


def test_the_contract_is_known_whatever_its_range_and_line_breaks() -> None:
    assert parse_score("return only a score\nfrom 1 to 10. 3", 1, 5) == 3


@given(st.text(), st.sampled_from([3, 5, 7, 10, 100]))
@settings(derandomize=True, max_examples=300)
def test_any_reply_gives_a_score_in_range_or_none(reply: str, top: int) -> None:
    score = parse_score(reply, 1, top)
    assert score is None or 1 <= score <= top


@given(st.integers(1, 100), st.sampled_from(["{}", "Score: {}", "**{}**", "{}.", "Rating: {}/100"]))
@settings(derandomize=True, max_examples=100)
def test_every_label_is_read_whole(score: int, shape: str) -> None:
    assert parse_score(shape.format(score), 1, 100) == score
