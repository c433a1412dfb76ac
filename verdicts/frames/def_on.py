"""The definition-bearing rubric (``def_on``) of the question-answering benchmarks (appendix K).

The paper prints the template line-wrapped to the page; here each paragraph is one line. Where a task has no
evidence, "the clause announcing it" is read as the words "reference evidence," with their comma, which leaves
"the question and one candidate answer". The rubric stays as it is, its mention of evidence included ("the
same rubric").
"""

from __future__ import annotations

from verdicts.benchmarks.items import Item
from verdicts.frames.contract import CONTRACT, passages
from verdicts.frames.task import Task

DEFINITION = (
    "Definition. A HALLUCINATED answer contains information that is incorrect, fabricated, or not supported "
    "by the evidence: e.g. it misreads the question, reverses a finding, invents a mechanism, or adds "
    "specifics absent from the source. A SUPPORTED answer is fully consistent with the truth/evidence."
)
ASK = "Decide whether the candidate answer is a HALLUCINATION."


def render(task: Task, item: Item) -> str:
    """The prompt. The header's clause depends on the task having evidence, the block on the item's."""
    given = "the question, reference evidence, and" if task.evidence_heading else "the question and"
    header = (
        f"You are assessing a candidate answer to {task.noun_phrase}. "
        f"You are given {given} one candidate answer."
    )
    sections = [header, DEFINITION, ASK, CONTRACT, f"# Question\n{item.question.strip()}"]
    block = evidence_block(task, item)
    if block:
        sections.append(block)
    sections.append(f"# Candidate answer\n{item.candidate.strip()}")
    return "\n\n".join(sections) + "\n"


def evidence_block(task: Task, item: Item) -> str:
    """The heading and one bullet a passage; empty where the task has no evidence or the item none."""
    evidence = passages(item.evidence)
    if not task.evidence_heading or not evidence:
        return ""
    return "\n".join([f"# {task.evidence_heading}", *(f"- {passage}" for passage in evidence)])
