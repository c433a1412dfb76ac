"""How graded replies are read: published rules, scales and thresholds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.comparators import autoj, judgelm, prometheus2
from verdicts.comparators.grader import Grader
from verdicts.comparators.registry import adapters

LAW = settings(derandomize=True, max_examples=200, deadline=None)


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        ("The answer is faithful. [RESULT] 5", 5),
        ("Feedback: fine. [RESULT] **4**", 4),
        ("[RESULT] 2 was my first thought; [RESULT]3", 3),
        ("So the score is 4/5.", 4),
        ("I give 2 out of 5, no, 3 OUT OF 5.", 3),
        ("[RESULT] 7", None),
        ("[RESULT] 4.5", None),
        ("[RESULT] 45", None),
        ("14/5 of it, and 3/50", None),
        ("[RESULT] none, so 1/5", 1),
        ("5", None),
        ("", None),
    ],
    ids=range(12),
)
def test_prometheus(reply: str, grade: float | None) -> None:
    assert prometheus2.read(reply) == grade


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        (" 7\nThe answer is fine.", 7),
        ("10", 10),
        ("10.0\n", 10),
        ("\n\n  8.5 because", 8.5),
        ("Score: 9\n", 9),
        ("score=6", 6),
        ("7.", 7),
        ("7. It is", 7),
        ("7/10", 7),
        ("100", None),
        ("0", None),
        ("11 of them", None),
        ("12\nThe score: 4. Later the scores: 6", 6),
        ("It is poor.\nScore: 40\nscore: 3", 3),
        ("I would say a score of 4, rather a rating of 5", 5),
        ("It was rated as 3, that is 8 out of 10", 8),
        ("This is 2 / 10 for me", 2),
        ("rate it a 9", 9),
        ("Nothing to see in 2024", None),
        ("", None),
    ],
    ids=range(20),
)
def test_judgelm(reply: str, grade: float | None) -> None:
    assert judgelm.read(reply) == grade


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        ("Good.\nRating: [[7]]", 7),
        ("[[3]] at first, then [[ 8.5 ]]", 8.5),
        ("[[10]]", 10),
        ("[[0]]", None),
        ("[[5]] or [[11]]", None),
        ("Rating: 5", None),
        ("[[rating]]", None),
        ("", None),
    ],
    ids=range(8),
)
def test_auto_j(reply: str, grade: float | None) -> None:
    assert autoj.read(reply) == grade


GRADERS = {name: adapter for name, adapter in adapters().items() if isinstance(adapter, Grader)}
SCALES = {"prometheus2": (1, 5), "judgelm": (1, 10), "autoj": (1, 10)}


@LAW
@given(reply=st.text(max_size=60) | st.from_regex(r"(\[RESULT\]|score:|\[\[)? ?\d{1,3}(\.\d)?(/10|/5|\]\])?"))
@pytest.mark.parametrize("name", sorted(GRADERS))
def test_a_grade_is_on_its_scale(name: str, reply: str) -> None:
    low, high = SCALES[name]
    grade = GRADERS[name].read(reply)
    assert grade is None or low <= grade <= high


@pytest.mark.parametrize(
    ("name", "threshold", "new_tokens"),
    [("prometheus2", 3.0, 512), ("judgelm", 5.5, 200), ("autoj", 5.5, 1024)],
)
def test_published_settings(name: str, threshold: float, new_tokens: int) -> None:
    low, high = SCALES[name]
    assert GRADERS[name].threshold == threshold == (low + high) / 2
    assert GRADERS[name].max_new_tokens == new_tokens
