"""Prometheus 2 (Kim et al., 2024): absolute grading from 1 to 5 against a rubric and a reference answer.

System sentence and template: the model's card (https://huggingface.co/prometheus-eval/prometheus-7b-v2.0) and the
prompts of https://github.com/prometheus-eval/prometheus-eval, word for word, in Mistral's turn. What fills the slots is
described in RAIM's appendix G and its release and quoted in neither: the rubric and the reference are this project's
words. The middle grade counts as supported.
"""

from __future__ import annotations

import re

from verdicts.benchmarks.items import Item
from verdicts.comparators.evidence import CLAIM_QUESTION, claim_with_document, question_with_evidence
from verdicts.comparators.grader import Grader
from verdicts.frames.task import Task

SYSTEM = (
    "You are a fair judge assistant tasked with providing clear, objective feedback based on specific criteria, "
    "ensuring each assessment reflects the absolute standards set for performance."
)
TEMPLATE = """###Task Description:
An instruction (might include an Input inside it), a response to evaluate, a reference answer that gets a score of 5, \
and a score rubric representing a evaluation criteria are given.
1. Write a detailed feedback that assess the quality of the response strictly based on the given score rubric, not \
evaluating in general.
2. After writing a feedback, write a score that is an integer between 1 and 5. You should refer to the score rubric.
3. The output format should look as follows: "(write a feedback for criteria) [RESULT] (an integer number between \
1 and 5)"
4. Please do not generate any other opening, closing, and explanations.

###The instruction to evaluate:
{instruction}

###Response to evaluate:
{response}

###Reference Answer (Score 5):
{reference}

###Score Rubrics:
{rubric}

###Feedback:"""

#: The ideal answer in general terms: the gold label is never shown.
REFERENCE = (
    "{subject} that is entirely faithful: every statement in it is stated in or directly entailed by {basis}, and it "
    "adds, alters and implies nothing beyond that."
)
RUBRIC = """[Is the {subject} faithful, that is, free of content that is incorrect, fabricated or not supported by \
{basis}?]
Score 1: The {subject} contradicts {basis}, or its main content is fabricated.
Score 2: The {subject} has important content that {basis} does not support.
Score 3: The {subject} is mostly faithful, with some content that {basis} does not clearly support.
Score 4: The {subject} is faithful but for a minor imprecision.
Score 5: The {subject} is entirely faithful: {basis} supports everything in it."""

_RESULT = re.compile(r"\[RESULT\]\s*\**\s*([1-5])(?!\d|\.\d)")
_OF_FIVE = re.compile(r"(?<![\d.])([1-5])\s*(?:/|out of)\s*5(?![\d.]*\d)", re.IGNORECASE)


def question_answer(task: Task, item: Item) -> str:
    """The prompt of a question-answering item."""
    basis = "the evidence" if task.evidence_heading else "established facts"
    return _prompt(question_with_evidence(task, item), item, "answer", "An answer", basis)


def claim(task: Task, item: Item) -> str:
    """The prompt of a claim-verification item."""
    return _prompt(claim_with_document(item, CLAIM_QUESTION), item, "claim", "A claim", "the document")


def _prompt(instruction: str, item: Item, subject: str, article: str, basis: str) -> str:
    filled = TEMPLATE.format(
        instruction=instruction,
        response=item.candidate.strip(),
        reference=REFERENCE.format(subject=article, basis=basis),
        rubric=RUBRIC.format(subject=subject, basis=basis),
    )
    return f"[INST] {SYSTEM}\n\n{filled} [/INST]"


def read(reply: str) -> float | None:
    """The grade behind the last ``[RESULT]``; failing that, the last one written as N/5 or N out of 5."""
    found = _RESULT.findall(reply) or _OF_FIVE.findall(reply)
    return float(found[-1]) if found else None


ADAPTER = Grader(
    name="prometheus2",
    version=1,
    renders={"def_on": question_answer, "claimcheck": claim},
    read=read,
    threshold=3.0,
    max_new_tokens=512,
)
