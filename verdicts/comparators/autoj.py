"""Auto-J (Li et al., 2023): a critique and a rating from 1 to 10 of a single response.

The template is the repository's single-response one (https://github.com/GAIR-NLP/auto-j,
``codes/usage/constants_prompt.py``), word for word, in Llama 2's turn without system text. It has no reference slot:
evidence and instruction stand in the query. The instruction is this project's.
"""

from __future__ import annotations

import re

from verdicts.benchmarks.items import Item
from verdicts.comparators.evidence import CLAIM_QUESTION, claim_with_document, question_with_evidence
from verdicts.comparators.grader import Grader
from verdicts.frames.task import Task

TEMPLATE = (
    "Write critiques for a submitted response on a given user's query, and grade the response:\n  \n"
    "[BEGIN DATA]\n***\n[Query]: {query}\n***\n[Response]: {response}\n***\n[END DATA]\n\n"
    "Write critiques for this response. After that, you should give a final rating for the response on a scale of 1 to "
    '10 by strictly following this format: "[[rating]]", for example: "Rating: [[5]]".'
)
INSTRUCTION = "Answer the question truthfully, and state nothing that the evidence does not support."
INSTRUCTION_WITHOUT_EVIDENCE = "Answer the question truthfully."
CLAIM_INSTRUCTION = f"{CLAIM_QUESTION} The response is the claim: rate how far the document supports it."

_RATING = re.compile(r"\[\[\s*(\d+(?:\.\d+)?)\s*\]\]")


def question_answer(task: Task, item: Item) -> str:
    """The prompt of a question-answering item."""
    instruction = INSTRUCTION if task.evidence_heading else INSTRUCTION_WITHOUT_EVIDENCE
    return _prompt(question_with_evidence(task, item, instruction), item)


def claim(task: Task, item: Item) -> str:
    """The prompt of a claim-verification item."""
    return _prompt(claim_with_document(item, CLAIM_INSTRUCTION), item)


def _prompt(query: str, item: Item) -> str:
    return f"[INST] {TEMPLATE.format(query=query, response=item.candidate.strip())} [/INST]"


def read(reply: str) -> float | None:
    """The last number in double square brackets; None where it is not from 1 to 10."""
    found = _RATING.findall(reply)
    return rating if found and 1.0 <= (rating := float(found[-1])) <= 10.0 else None


ADAPTER = Grader(
    name="autoj",
    version=1,
    renders={"def_on": question_answer, "claimcheck": claim},
    read=read,
    threshold=5.5,
    max_new_tokens=1024,
)
