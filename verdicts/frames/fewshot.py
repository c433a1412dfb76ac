"""The few-shot prompt of the base-versus-instruct probe (appendix D): worked claims, then the claim in question.

Base checkpoints follow no instruction, so both arms of the probe read the same text, sent as it is. The public
release gives its shape: two sentences of instruction, six worked blocks, the query's block, evidence cut by
characters, and the examples drawn from the benchmark itself, whose records are then not asked. The two sentences are
this project's wording: the paper does not quote them. What is a trailing space after the last ``Answer:`` there is part
of the answers here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from verdicts.benchmarks.items import Item
from verdicts.frames.task import Task

#: Begins the name of the frame in a condition, before the benchmark's own frame.
PREFIX = "fewshot-"
INSTRUCTION = (
    "Decide whether each claim is fully supported by the given information. "
    "Answer Yes if it is, and No if it is not."
)
#: Supported and hallucinated examples, of each as many.
EACH = 3
#: Characters of evidence in an example and in the query.
EXAMPLE_CHARACTERS, QUERY_CHARACTERS = 600, 2400
_WORDS = {0: "Yes", 1: "No"}


def examples(items: Sequence[Item]) -> tuple[Item, ...]:
    """The worked examples of a benchmark, from all its items in the builder's order.

    The order of the calls on the one generator is part of the probe. Raises ValueError where a class has too few items.
    """
    generator = random.Random(0)
    classes = [[item for item in items if item.gold == gold] for gold in (0, 1)]
    if min(map(len, classes)) < EACH:
        raise ValueError(f"needs {EACH} supported and {EACH} hallucinated items for its examples")
    for members in classes:
        generator.shuffle(members)
    chosen = [*classes[0][:EACH], *classes[1][:EACH]]
    generator.shuffle(chosen)
    return tuple(chosen)


def render(frame: str, task: Task, item: Item, worked: Sequence[Item]) -> str:
    """The prompt of one item under a benchmark's own frame; the answer follows it."""
    blocks = [
        f"{_block(frame, task, example, EXAMPLE_CHARACTERS)} {_WORDS[example.gold]}" for example in worked
    ]
    return "\n\n".join([INSTRUCTION, *blocks, _block(frame, task, item, QUERY_CHARACTERS)])


def _block(frame: str, task: Task, item: Item, characters: int) -> str:
    lines = []
    if task.evidence_heading:
        lines.append(f"{task.evidence_heading}: {_cut(chr(10).join(item.evidence), characters)}")
    question, claim = item.question.strip(), item.candidate.strip()
    if frame != "claimcheck" or question != claim:
        lines.append(f"Question: {question}")
    return "\n".join([*lines, f"Claim: {claim}", "Answer:"])


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[:characters]} ..."
