"""The verdict parser: every case the paper's contract meets in practice, and the published reading beside
it."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.parsing import TAIL, Parsed, parse, parse_release

RULES = {"verdict_line", "tail", "unsure", "unparsed", "empty"}
PAD = "." * TAIL


@pytest.mark.parametrize(
    ("reply", "verdict", "rule"),
    [
        # The contract as asked for.
        ("It reverses the finding.\nVERDICT: HALLUCINATED", 1, "verdict_line"),
        ("All of it is in the source.\nVERDICT: SUPPORTED", 0, "verdict_line"),
        # Case, punctuation, dashes, wide colons.
        ("verdict: supported", 0, "verdict_line"),
        ("Verdict : Hallucinated.", 1, "verdict_line"),
        ("VERDICT: SUPPORTED!!", 0, "verdict_line"),
        ("VERDICT - SUPPORTED", 0, "verdict_line"),
        ("VERDICT – HALLUCINATED", 1, "verdict_line"),
        ("VERDICT—SUPPORTED", 0, "verdict_line"),
        ("VERDICT：HALLUCINATED", 1, "verdict_line"),
        ("VERDICT = SUPPORTED", 0, "verdict_line"),
        ("VERDICT SUPPORTED", 0, "verdict_line"),
        ("so my final verdict: HALLUCINATED", 1, "verdict_line"),
        # Markdown, quotes, brackets.
        ("**VERDICT:** SUPPORTED", 0, "verdict_line"),
        ("**VERDICT**: HALLUCINATED", 1, "verdict_line"),
        ("VERDICT: **HALLUCINATED**", 1, "verdict_line"),
        ("**VERDICT: SUPPORTED**", 0, "verdict_line"),
        ("> _VERDICT_: `SUPPORTED`", 0, "verdict_line"),
        ("VERDICT: <HALLUCINATED>", 1, "verdict_line"),
        ("VERDICT: [SUPPORTED]", 0, "verdict_line"),
        ('VERDICT: "SUPPORTED"', 0, "verdict_line"),
        ("## Verdict\nHALLUCINATED", 1, "verdict_line"),
        # The label on a line of its own.
        ("VERDICT:\nSUPPORTED", 0, "verdict_line"),
        ("**VERDICT:**\r\n\r\n**HALLUCINATED**\n", 1, "verdict_line"),
        ("VERDICT:\nThe answer is SUPPORTED", 0, "tail"),
        # Several lines: the last one; an echo inside the rationale does not win over the line itself.
        ("VERDICT: SUPPORTED\nOn reflection:\nVERDICT: HALLUCINATED", 1, "verdict_line"),
        ('I would say "VERDICT: HALLUCINATED" if it lied. No. VERDICT: SUPPORTED', 0, "verdict_line"),
        ("VERDICT: HALLUCINATED\nThe claim is otherwise supported by the text.", 1, "verdict_line"),
        ("VERDICT: SUPPORTED\n\nVERDICT:", 0, "verdict_line"),
        # Both labels on one line: the one after the prefix; with words between, only if all agree.
        ("VERDICT: SUPPORTED (not HALLUCINATED)", 0, "verdict_line"),
        ("VERDICT: HALLUCINATED, not SUPPORTED", 1, "verdict_line"),
        ("VERDICT: HALLUCINATED because one half is SUPPORTED", 1, "verdict_line"),
        ("VERDICT: the answer is SUPPORTED", 0, "verdict_line"),
        ("VERDICT: the answer is not HALLUCINATED, it is SUPPORTED", 0, "verdict_line"),
        ("VERDICT: partly SUPPORTED, partly HALLUCINATED" + PAD, None, "unparsed"),
        # Negations, read for what they say.
        ("VERDICT: NOT SUPPORTED", 1, "verdict_line"),
        ("VERDICT: UNSUPPORTED", 1, "verdict_line"),
        ("VERDICT: NOT **SUPPORTED**", 1, "verdict_line"),
        ("VERDICT: NOT FULLY SUPPORTED", 1, "verdict_line"),
        ("VERDICT: NOT_SUPPORTED", 1, "verdict_line"),
        ("VERDICT: NOT HALLUCINATED", 0, "verdict_line"),
        ("VERDICT: NON-HALLUCINATED", 0, "verdict_line"),
        ("VERDICT: NOT A HALLUCINATION", 0, "verdict_line"),
        ("VERDICT: NO HALLUCINATION", 0, "verdict_line"),
        ("VERDICT: it isn't supported", 1, "verdict_line"),
        ("VERDICT: NOT UNSUPPORTED", 0, "verdict_line"),
        ("VERDICT: does not appear to be supported", 1, "verdict_line"),
        ("Is it hallucinated? No - supported.", 0, "tail"),
        ("The last part is unsupported.", 1, "tail"),
        ("The claim is not supported by the document.", 1, "tail"),
        ("Nothing here is not hallucinated", 0, "tail"),
        # The unfilled contract is nobody's verdict, at the end of a reply either.
        ("VERDICT: <HALLUCINATED or SUPPORTED>", None, "unparsed"),
        ("VERDICT: HALLUCINATED or SUPPORTED", None, "unparsed"),
        ("VERDICT: HALLUCINATED/SUPPORTED", None, "unparsed"),
        ("VERDICT:\n<HALLUCINATED or SUPPORTED>", None, "unparsed"),
        ("VERDICT: <HALLUCINATED or SUPPORTED>\nHALLUCINATED", 1, "tail"),
        ("VERDICT: SUPPORTED\nVERDICT: <HALLUCINATED or SUPPORTED>", 0, "verdict_line"),
        # Declared doubt abstains, whatever the rationale says.
        ("The first half is supported.\nVERDICT: NOT SURE", None, "unsure"),
        ("VERDICT: UNSURE", None, "unsure"),
        ("VERDICT: cannot be determined", None, "unsure"),
        # The fall-back: whole words, the last one, the final 200 characters.
        ("I find the answer hallucinated", 1, "tail"),
        ("Not hallucinated at first sight; still, on balance hallucinated.", 1, "tail"),
        ("It might be hallucinated or supported", 0, "tail"),
        ("supported" + PAD, None, "unparsed"),
        ("supported" + PAD[:-9], 0, "tail"),
        ("supported" + PAD[:-8], None, "unparsed"),
        ("not supported" + PAD[:-9], 1, "tail"),
        ("The evidence keeps supporting a hallucination", None, "unparsed"),
        ("The text supports it", None, "unparsed"),
        ("The claim is un\u2011supported", 1, "tail"),
        ("VERDICT: TRUE", None, "unparsed"),
        # Nothing there.
        ("", None, "empty"),
        (" \n\t", None, "empty"),
        ("VERDICT:", None, "unparsed"),
        ("I would rather talk about cheese.", None, "unparsed"),
    ],
)  # fmt: skip
def test_default_reading(reply: str, verdict: int | None, rule: str) -> None:
    assert parse(reply) == Parsed(verdict, rule)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reply", "verdict", "rule"),
    [
        ("VERDICT: HALLUCINATED", 1, "verdict_line"),
        ("verdict - **supported**", 0, "verdict_line"),
        ("**VERDICT:** SUPPORTED", 0, "verdict_line"),
        ("VERDICT:\nSUPPORTS", 0, "verdict_line"),
        ("VERDICT: SUPPORTED\nVERDICT: HALLUCINATION", 1, "verdict_line"),
        ("It is hallucinated. VERDICT: NOT SURE", None, "unsure"),
        ("hallucinated verdict unsure", None, "unsure"),
        # The tested consequences that the protocol page lists.
        ("VERDICT: NOT SUPPORTED", 0, "tail"),
        ("VERDICT: UNSUPPORTED", 0, "tail"),
        ("A hallucination. VERDICT: NOT SUPPORTED", 1, "tail"),
        ("VERDICT: NOT HALLUCINATED", 1, "tail"),
        ("**VERDICT**: SUPPORTED", 0, "tail"),
        ("VERDICT: <SUPPORTED>, since nothing is hallucinated", 1, "tail"),
        ("hallucinated, then supported", 1, "tail"),
        ("hallucinated" + PAD + " support", 0, "tail"),
        ("Supporting", 0, "tail"),
        ("", None, "empty"),
        (" ", None, "unparsed"),
        ("nothing", None, "unparsed"),
    ],
)
def test_release_reading(reply: str, verdict: int | None, rule: str) -> None:
    assert parse_release(reply) == Parsed(verdict, rule)  # type: ignore[arg-type]


def test_readings_differ_where_the_specification_says() -> None:
    for reply in ("VERDICT: NOT SUPPORTED", "VERDICT: UNSUPPORTED", "VERDICT: NOT HALLUCINATED"):
        assert {parse(reply).verdict, parse_release(reply).verdict} == {0, 1}


WORDS = st.lists(
    st.sampled_from(
        ["VERDICT", ":", "-", "**", "<", ">", "\n", " ", "NOT", "UN", "n't", "HALLUCINATED", "SUPPORTED",
         "or", "sure", "hallucination", "supporting", "the", "…", "\ud800", "\0", "'", "be"]
    ),
    max_size=40,
).map("".join)  # fmt: skip


@given(st.one_of(st.text(), WORDS))
@settings(derandomize=True, max_examples=500)
def test_total_and_consistent(reply: str) -> None:
    for reading in (parse, parse_release):
        parsed = reading(reply)
        assert parsed.rule in RULES
        assert (parsed.verdict is None) == (parsed.rule in {"unsure", "unparsed", "empty"})
        assert reading(reply) == parsed


@given(WORDS, st.sampled_from([(0, "SUPPORTED"), (1, "HALLUCINATED")]))
@settings(derandomize=True, max_examples=500)
def test_a_final_contract_line_is_always_read(rationale: str, stated: tuple[int, str]) -> None:
    verdict, label = stated
    assert parse(f"{rationale}\nVERDICT: {label}") == Parsed(verdict, "verdict_line")
    assert parse_release(f"{rationale}\nVERDICT: {label}") == Parsed(verdict, "verdict_line")


@given(st.text())
@settings(derandomize=True, max_examples=500)
def test_without_the_labels_there_is_no_verdict(reply: str) -> None:
    cleaned = re.sub("hallucinat|support", "", reply, flags=re.IGNORECASE)
    if not re.search("hallucinat|support", cleaned, flags=re.IGNORECASE):
        assert parse(cleaned).verdict is None
        assert parse_release(cleaned).verdict is None


@pytest.mark.parametrize("unit", ["not ", "VERDICT ", "VERDICT:", "*", "not a the ", "un-", "\n", "n't "])
def test_long_repetitive_replies_are_read_in_linear_time(unit: str) -> None:
    # A judge caught in a loop fills its budget with one phrase; the patterns must not backtrack on it.
    start = time.process_time()
    parse(unit * 4000)
    parse_release(unit * 4000)
    assert time.process_time() - start < 2.0
