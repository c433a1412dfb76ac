"""Score prompts: the words of JudgeMoE's Table 6, and what each style and range adds."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from raim.errors import InputError
from verdicts.scores.items import ScoreItem
from verdicts.scores.templates import ANSWER_PREFIX, CONTRACT, FAMILIES, STYLES, frame_of, render

ITEM = ScoreItem(
    uid="u",
    cluster="c",
    target=0.5,
    source="The source.",
    candidate="The candidate.",
    aspect="coherence",
    criterion="The criterion.",
)
#: The skeletons as the paper prints them, its line breaks lost; optional blocks apart.
PRINTED = {
    "summarization": (
        "You are an expert summarization evaluator. Evaluate the coherence of the generated summary. The criterion. "
        "SOURCE DOCUMENT: The source. GENERATED SUMMARY: The candidate. Return only a score from 1 to 5."
    ),
    "dialogue": (
        "You are an expert dialogue response evaluator. Evaluate the coherence of the assistant response. "
        "CONTEXT: The source. ASSISTANT RESPONSE: The candidate. Return only a score from 1 to 5."
    ),
    "assistant": (
        "You are an expert evaluator of assistant responses. Evaluate the coherence of the response. "
        "USER REQUEST: The source. ASSISTANT RESPONSE: The candidate. Return only a score from 1 to 5."
    ),
    "reasoning": (
        "You are an expert evaluator of reasoning chains. Evaluate the overall quality of the reasoning chain. "
        "Consider correctness, completeness, and coherence. PROBLEM OR CONTEXT: The source. REASONING CHAIN: "
        "The candidate. Return only a score from 1 to 5."
    ),
    "translation": (
        "You are an expert translation evaluator. Evaluate the overall translation quality. Consider adequacy and "
        "fluency. SOURCE SEGMENT: The source. TRANSLATION: The candidate. Return only a score from 1 to 5."
    ),
    "flask": (
        "You are an expert evaluator of assistant responses. Evaluate the candidate response using the provided "
        "criterion and scoring rubric. INSTRUCTION: The source. CANDIDATE RESPONSE: The candidate. "
        "CRITERION: The criterion. Return only a score from 1 to 5."
    ),
}


def words(prompt: str) -> str:
    return re.sub(r"\s+", " ", prompt).strip()


@pytest.mark.parametrize("family", FAMILIES)
def test_the_default_style_has_the_printed_words(family: str) -> None:
    assert words(render(frame_of(family, "default"), "1", "5", ITEM)) == PRINTED[family]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("style", [style for style in STYLES if style != "default"])
def test_a_style_adds_one_paragraph_before_the_contract(family: str, style: str) -> None:
    plain = render(frame_of(family, "default"), "1", "10", ITEM).split("\n\n")
    styled = render(frame_of(family, style), "1", "10", ITEM).split("\n\n")
    assert styled[:-2] == plain[:-1]
    assert styled[-1] == plain[-1] == CONTRACT.format(low=1, high=10) + "\n"
    assert styled[-2] == STYLES[style].format(low="1", high="10")


def test_ranges_of_an_item_share_all_that_precedes_the_contract() -> None:
    five, hundred = (render("summarization-default/1", "1", top, ITEM) for top in ("5", "100"))
    assert five.rpartition("\n\n")[0] == hundred.rpartition("\n\n")[0]


def test_optional_blocks_stand_where_the_item_has_them() -> None:
    referred = replace(ITEM, reference="The reference.", rubric="Score 1: bad.")
    prompt = render("translation-default/1", "1", "5", referred)
    assert "TRANSLATION:\nThe candidate.\n\nHUMAN REFERENCE:\nThe reference.\n\nReturn" in prompt
    prompt = render("flask-default/1", "1", "5", referred)
    assert "REFERENCE ANSWER:\nThe reference.\n\nSCORING RUBRIC:\nScore 1: bad.\n\nReturn" in prompt


def test_braces_in_texts_are_left_alone() -> None:
    prompt = render("dialogue-default/1", "1", "5", replace(ITEM, source="{low} {x}", candidate="{high}"))
    assert "{low} {x}" in prompt
    assert "{high}" in prompt


def test_the_answers_opening_ends_in_the_space() -> None:
    assert ANSWER_PREFIX.endswith(": ")


@pytest.mark.parametrize("frame", ["summarization-loud/1", "poetry-default/1", "summarization/1"])
def test_an_unknown_prompt_is_refused(frame: str) -> None:
    with pytest.raises(InputError, match="families are"):
        render(frame, "1", "5", ITEM)


@pytest.mark.parametrize("field", ["source", "candidate", "aspect", "criterion", "reference", "rubric"])
def test_content_is_all_that_a_prompt_can_show(field: str) -> None:
    assert replace(ITEM, **{field: "another"}).content != ITEM.content


def test_content_is_nothing_else() -> None:
    assert replace(ITEM, uid="v", cluster=9, target=0.1, part="p", split="train").content == ITEM.content
