"""The frames against the paper's own listings, character for character."""

from __future__ import annotations

from pathlib import Path

import pytest

from raim.errors import InputError
from verdicts.benchmarks.items import Item
from verdicts.frames import FRAMES, Task, render

MEDICAL = Task("a medical research question", "Reference knowledge")
UNGROUNDED = Task("a biographical claim", None)


def item(
    question: str = "Does it?", evidence: tuple[str, ...] = ("One.", "Two."), candidate: str = "Yes."
) -> Item:
    return Item("0:pos", 0, 0, question, evidence, candidate)


def unwrapped(listing: str) -> str:
    """A listing of appendix K with the page's line wraps undone: prose is rejoined, marked lines stay."""
    marked = ("#", "-", "<", "VERDICT")
    paragraphs = []
    for paragraph in listing.strip().split("\n\n"):
        text = ""
        for line in paragraph.split("\n"):
            text += (
                "\n" if text and (line.startswith(marked) or text.endswith("line:")) else " " if text else ""
            ) + line
        paragraphs.append(text)
    return "\n\n".join(paragraphs) + "\n"


DEF_ON = """
You are assessing a candidate answer to a medical research question. You
are given the question, reference evidence, and one candidate answer.

Definition. A HALLUCINATED answer contains information that is incorrect,
fabricated, or not supported by the evidence: e.g. it misreads the
question, reverses a finding, invents a mechanism, or adds specifics
absent from the source. A SUPPORTED answer is fully consistent with the
truth/evidence.

Decide whether the candidate answer is a HALLUCINATION.

Think briefly (1-2 sentences), then end with exactly one line:
VERDICT: <HALLUCINATED or SUPPORTED>

# Question
<the question>

# Reference knowledge
- <the reference passage(s)>

# Candidate answer
<the candidate answer>
"""

CLAIMCHECK = """
Determine whether the claim below is fully supported by the document. A
claim is SUPPORTED if every piece of information in it is stated in or
directly entailed by the document; it is HALLUCINATED if it adds, alters,
or implies anything the document does not support.

Think briefly (1-2 sentences), then end with exactly one line:
VERDICT: <HALLUCINATED or SUPPORTED>

# Document
<the source document>

# Claim
<the claim>
"""


def test_def_on_is_the_papers_listing() -> None:
    filled = item("<the question>", ("<the reference passage(s)>",), "<the candidate answer>")
    assert render("def_on", MEDICAL, filled) == unwrapped(DEF_ON)


def test_claimcheck_is_the_papers_listing() -> None:
    filled = item("<the claim>", ("<the source document>",), "<the claim>")
    assert render("claimcheck", MEDICAL, filled) == unwrapped(CLAIMCHECK)


def test_the_listings_are_in_the_paper(shared_spec: Path) -> None:
    paper = (shared_spec.parent / "papers" / "raim.txt").read_text(encoding="utf-8")
    assert DEF_ON.strip() in paper
    assert CLAIMCHECK.strip() in paper


def test_ungrounded_def_on_drops_the_clause_and_the_block() -> None:
    prompt = render("def_on", UNGROUNDED, item(evidence=("a passage that the task does not announce",)))
    assert prompt.startswith(
        "You are assessing a candidate answer to a biographical claim. "
        "You are given the question and one candidate answer.\n\nDefinition. A HALLUCINATED answer"
    )
    assert prompt.endswith("\n\n# Question\nDoes it?\n\n# Candidate answer\nYes.\n")
    assert "reference evidence" not in prompt


def test_def_on_bullets_each_passage_and_drops_blank_ones() -> None:
    prompt = render(
        "def_on",
        Task("a retrieval-augmented question", "Retrieved passages"),
        item(" Q ", (" a\nb ", " \n", "c"), " A\n"),
    )
    assert prompt.endswith(
        "\n\n# Question\nQ\n\n# Retrieved passages\n- a\nb\n- c\n\n# Candidate answer\nA\n"
    )


def test_the_clause_follows_the_task_and_the_block_the_item() -> None:
    prompt = render("def_on", MEDICAL, item(evidence=()))
    assert "reference evidence, and one candidate answer" in prompt
    assert "# Reference knowledge" not in prompt


def test_claimcheck_joins_passages_and_folds_a_genuine_question() -> None:
    prompt = render("claimcheck", MEDICAL, item("Q?", (" a ", "", "b"), "C."))
    assert "# Document\nQuestion under discussion: Q?\na\nb\n\n# Claim\nC.\n" in prompt
    copied = render("claimcheck", MEDICAL, item(" C.", ("a",), "C. "))
    assert "# Document\na\n\n# Claim\nC.\n" in copied


def test_claimcheck_says_so_when_there_is_no_document() -> None:
    assert "# Document\n(no document provided)\n\n" in render("claimcheck", MEDICAL, item("C", (), "C"))


@pytest.mark.parametrize("frame", sorted(FRAMES))
def test_rendering_is_pure_and_ends_in_one_newline(frame: str) -> None:
    one = render(frame, MEDICAL, item())
    assert one == render(frame, MEDICAL, item())
    assert one.endswith("\n")
    assert not one.endswith("\n\n")


def test_unknown_frame_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="claimcheck, def_on"):
        render("def_off", MEDICAL, item())
