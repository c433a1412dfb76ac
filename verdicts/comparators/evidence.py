"""What graded templates are given of an item: the source evidence as the panel sees it, never the gold label."""

from __future__ import annotations

from verdicts.benchmarks.items import Item
from verdicts.frames import claimcheck
from verdicts.frames.def_on import evidence_block
from verdicts.frames.task import Task

#: The question of a claim set, whose own question is the claim itself.
CLAIM_QUESTION = "Is the claim fully supported by the document?"

NO_EVIDENCE = "No reference evidence is given: judge against established facts about the world."


def question_with_evidence(task: Task, item: Item, instruction: str = "") -> str:
    """The question, an instruction, and the panel's block of evidence, as paragraphs.

    Ungrounded benchmarks have a sentence in the block's place.
    """
    block = evidence_block(task, item) or NO_EVIDENCE
    return "\n\n".join(part for part in (item.question.strip(), instruction, block) if part)


def claim_with_document(item: Item, instruction: str) -> str:
    """The instruction and the document, built as in the claim-support frame."""
    return f"{instruction}\n\n# Document\n{claimcheck.document(item)}"
