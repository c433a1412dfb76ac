"""JudgeLM (Zhu et al., 2023): natively pairwise, asked for the score of one answer from 1 to 10.

The words are those of the judge's own templates (https://github.com/baaivision/JudgeLM, ``llm_judge/common.py``), with
what speaks of a second assistant taken out; the layout is the one that RAIM's release describes, ending in a prefilled
``Score:``. The reference block holds the source evidence and is left out where there is none.
"""

from __future__ import annotations

import re

from verdicts.benchmarks.items import Item
from verdicts.comparators.evidence import CLAIM_QUESTION
from verdicts.comparators.grader import Grader
from verdicts.frames import claimcheck
from verdicts.frames.contract import passages
from verdicts.frames.task import Task

SYSTEM = "You are a helpful and precise assistant for checking the quality of the answer."
INSTRUCTION = (
    "We would like to request your feedback on the performance of the AI assistant in response to the user question "
    "displayed above.\n"
    "Please rate the helpfulness, relevance, accuracy, level of details of the response. The assistant receives an "
    "overall score on a scale of 1 to 10, where a higher score indicates better overall performance.\n"
    "Please first output a single line containing only one value indicating the score for the assistant. In the "
    "subsequent line, please provide a comprehensive explanation of your evaluation, avoiding any potential bias."
)

_LEADING = re.compile(
    r"(?:score)?\s*[:=]?\s*(10(?:\.0)?|[1-9](?:\.\d+)?)(?=\Z|[^\d.]|\.(?!\d))", re.IGNORECASE
)
_NAMED = re.compile(r"\bscores?\s*[:=]\s*(\d+(?:\.\d+)?)", re.IGNORECASE)
_PHRASES = (
    re.compile(r"\bscore\s+(?:of|is|was|would be)\s+(\d+(?:\.\d+)?)", re.IGNORECASE),
    re.compile(r"\brat(?:e|ed|ing)\s+(?:it\s+)?(?:a|as|of)\s+(\d+(?:\.\d+)?)", re.IGNORECASE),
    re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*(?:/|out of)\s*10(?!\d)", re.IGNORECASE),
)


def question_answer(task: Task, item: Item) -> str:
    """The prompt of a question-answering item."""
    evidence = "\n".join(passages(item.evidence)) if task.evidence_heading else ""
    return _prompt(item.question.strip(), item, evidence)


def claim(task: Task, item: Item) -> str:
    """The prompt of a claim-verification item."""
    return _prompt(CLAIM_QUESTION, item, claimcheck.document(item))


def _prompt(question: str, item: Item, reference: str) -> str:
    blocks = [
        f"{SYSTEM}\n[Question]\n{question}",
        f"[The Start of Assistant's Answer]\n{item.candidate.strip()}",
        "[The End of Assistant's Answer]",
    ]
    if reference:
        blocks += [f"[The Start of Reference Answer]\n{reference}", "[The End of Reference Answer]"]
    return "\n\n".join([*blocks, f"[System]\n{INSTRUCTION}", "Score:"])


def read(reply: str) -> float | None:
    """The number that leads the first line with text; else the last one that is named a score; else the phrase that
    ends latest. Numbers outside 1 to 10 are none."""
    first = next((line.strip() for line in reply.splitlines() if line.strip()), "")
    leading = _LEADING.match(first)
    if leading:
        return float(leading[1])
    named = [value for match in _NAMED.finditer(reply) if (value := _on_scale(match[1])) is not None]
    if named:
        return named[-1]
    phrases = [
        (match.end(), value)
        for pattern in _PHRASES
        for match in pattern.finditer(reply)
        if (value := _on_scale(match[1])) is not None
    ]
    return max(phrases)[1] if phrases else None


def _on_scale(number: str) -> float | None:
    return value if 1.0 <= (value := float(number)) <= 10.0 else None


ADAPTER = Grader(
    name="judgelm",
    version=1,
    renders={"def_on": question_answer, "claimcheck": claim},
    read=read,
    threshold=5.5,
    max_new_tokens=200,
)
