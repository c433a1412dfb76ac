"""Documents in chunks of whole sentences."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.comparators.chunks import chunks, sentences

LAW = settings(derandomize=True, max_examples=200, deadline=None)
DOCUMENTS = st.lists(
    st.lists(
        st.sampled_from(["One two.", "Three four five!", "Six (seven)?", "Dr. Who ran 3.5 miles."]),
        max_size=4,
    ).map(" ".join),
    max_size=5,
).map("\n".join)


def words(text: str) -> int:
    return len(text.split())


def test_sentences() -> None:
    assert sentences("It rains. The sun hides!  Why? Nobody knows.") == [
        "It rains.",
        "The sun hides!",
        "Why?",
        "Nobody knows.",
    ]
    assert sentences('He said "no." She left.') == ['He said "no."', "She left."]
    assert sentences("In the U.S. Dr. J. Smith paid 3.50 dollars. so it was") == [
        "In the U.S. Dr. J. Smith paid 3.50 dollars. so it was"
    ]
    assert sentences("   ") == []


def test_a_short_document_is_one_chunk_with_its_lines() -> None:
    assert chunks("One two.  Three.\nFour.", 500, words) == ["One two. Three.\nFour."]
    assert chunks("", 500, words) == [""]


def test_a_chunk_ends_before_the_sentence_that_would_make_it_too_long() -> None:
    assert chunks("One two. Three four.\nFive six. Seven.", 4, words) == [
        "One two. Three four.",
        "Five six. Seven.",
    ]
    assert chunks("One two three four five. Six.", 3, words) == ["One two three four five.", "Six."]


@LAW
@given(document=DOCUMENTS, size=st.integers(1, 12))
def test_chunks_hold_every_word_once_in_order(document: str, size: int) -> None:
    found = chunks(document, size, words)
    assert " ".join(found).split() == document.split()
    longest = max(
        (words(sentence) for line in document.split("\n") for sentence in sentences(line)), default=0
    )
    assert all(words(chunk) <= max(size, longest) for chunk in found)
    # No chunk could have taken the first sentence of the next one.
    for chunk, following in pairwise(found):
        assert words(chunk) + words(sentences(following.split("\n")[0])[0]) > size
