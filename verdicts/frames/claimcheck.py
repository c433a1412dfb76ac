"""The claim-support frame (``claimcheck``) of the claim-verification benchmarks (appendix K).

The task's wording plays no part in it: a document, a claim, and the same contract.
"""

from __future__ import annotations

from verdicts.benchmarks.items import Item
from verdicts.frames.contract import CONTRACT, passages
from verdicts.frames.task import Task

INTRO = (
    "Determine whether the claim below is fully supported by the document. A claim is SUPPORTED if every "
    "piece of information in it is stated in or directly entailed by the document; it is HALLUCINATED if it "
    "adds, alters, or implies anything the document does not support."
)
NO_DOCUMENT = "(no document provided)"


def document(item: Item) -> str:
    """The passages joined by newlines, after a genuine question (one that is not the claim itself)."""
    text = "\n".join(passages(item.evidence)) or NO_DOCUMENT
    question = item.question.strip()
    if question and question != item.candidate.strip():
        return f"Question under discussion: {question}\n{text}"
    return text


def render(task: Task, item: Item) -> str:
    """The prompt."""
    sections = [INTRO, CONTRACT, f"# Document\n{document(item)}", f"# Claim\n{item.candidate.strip()}"]
    return "\n\n".join(sections) + "\n"
