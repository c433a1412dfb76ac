"""The direct-score prompts of JudgeMoE: six task families (Table 6) in three styles (Table 16).

The default style has the words of Table 6. The paper prints the skeletons without their line breaks: here each block
is a paragraph, with its text under its heading. It names the rubric and the critical style and prints neither; their
sentences are ours, and stand before the contract, so that styles and ranges of one item share all that precedes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from raim.errors import InputError
from verdicts.scores.items import ScoreItem

#: Raised whenever any rendered byte changes; part of a record's condition.
TEMPLATE_VERSION = 1

#: The output contract, which ends every prompt.
CONTRACT = "Return only a score from {low} to {high}."

#: Opens the answer where a score is read without a reply of the judge's own. It ends in the space: several tokenizers
#: make that space a token of its own, which would be read in the digit's place.
ANSWER_PREFIX = "Score: "

STYLES: Mapping[str, str] = {
    "default": "",
    "rubric": (
        "Apply this rubric. {low}: the output fails the criterion. Between {low} and {high}: the output meets the "
        "criterion in part, the more so the higher the score. {high}: the output meets the criterion fully."
    ),
    "critical": (
        "Be a strict critic. Look for errors, omissions and unsupported statements first, lower the score for each of "
        "them, and give {high} only to an output without fault."
    ),
}


@dataclass(frozen=True)
class Template:
    """A family's skeleton: its instruction, and headings with the item's field under each, in order.

    A block whose field is empty is left out.
    """

    instruction: str
    blocks: tuple[tuple[str, str], ...]


FAMILIES: Mapping[str, Template] = {
    "summarization": Template(
        "You are an expert summarization evaluator. Evaluate the {aspect} of the generated summary. {criterion}",
        (("SOURCE DOCUMENT", "source"), ("GENERATED SUMMARY", "candidate")),
    ),
    "dialogue": Template(
        "You are an expert dialogue response evaluator. Evaluate the {aspect} of the assistant response.",
        (("CONTEXT", "source"), ("ASSISTANT RESPONSE", "candidate")),
    ),
    "assistant": Template(
        "You are an expert evaluator of assistant responses. Evaluate the {aspect} of the response.",
        (("USER REQUEST", "source"), ("ASSISTANT RESPONSE", "candidate")),
    ),
    "reasoning": Template(
        "You are an expert evaluator of reasoning chains. Evaluate the overall quality of the reasoning chain. "
        "Consider correctness, completeness, and coherence.",
        (("PROBLEM OR CONTEXT", "source"), ("REASONING CHAIN", "candidate")),
    ),
    "translation": Template(
        "You are an expert translation evaluator. Evaluate the overall translation quality. Consider adequacy and "
        "fluency.",
        (("SOURCE SEGMENT", "source"), ("TRANSLATION", "candidate"), ("HUMAN REFERENCE", "reference")),
    ),
    "flask": Template(
        "You are an expert evaluator of assistant responses. Evaluate the candidate response using the provided "
        "criterion and scoring rubric.",
        (
            ("INSTRUCTION", "source"),
            ("CANDIDATE RESPONSE", "candidate"),
            ("CRITERION", "criterion"),
            ("REFERENCE ANSWER", "reference"),
            ("SCORING RUBRIC", "rubric"),
        ),
    ),
}


def frame_of(family: str, style: str) -> str:
    """The name and version under which a condition keeps a family's prompt in a style."""
    return f"{family}-{style}/{TEMPLATE_VERSION}"


def render(frame: str, low: str, high: str, item: ScoreItem) -> str:
    """The prompt of an item under a frame (:func:`frame_of`) and a score range: one user turn, no system message.

    Raises InputError on a family or style that does not exist.
    """
    family, _, style = frame.partition("/")[0].partition("-")
    if family not in FAMILIES or style not in STYLES:
        raise InputError(
            f"unknown score prompt {frame!r}; families are {', '.join(FAMILIES)}, styles {', '.join(STYLES)}"
        )
    template = FAMILIES[family]
    instruction = template.instruction.format(aspect=item.aspect, criterion=item.criterion).strip()
    texts = ((heading, getattr(item, name).strip()) for heading, name in template.blocks)
    paragraphs = [
        instruction,
        *(f"{heading}:\n{text}" for heading, text in texts if text),
        STYLES[style].format(low=low, high=high),
        CONTRACT.format(low=low, high=high),
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph) + "\n"
