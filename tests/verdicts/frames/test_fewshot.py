"""The probe's prompt: its examples are fixed, its blocks are those of the release, and its records are not asked."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from raim.errors import InputError
from tests.verdicts.making import CONDITION, benchmark, items
from verdicts.arms import with_examples
from verdicts.benchmarks.items import Item
from verdicts.frames import fewshot
from verdicts.frames.task import Task

GROUNDED = Task("a grounded claim", "Grounding document")
UNGROUNDED = Task("a general-knowledge question", None)


def item(number: int, gold: int, evidence: str = "A document.", question: str = "") -> Item:
    return Item(f"{number}", number, gold, question or f"claim {number}", (evidence,), f"claim {number}")


def test_examples_are_drawn_as_the_release_draws_them() -> None:
    """Two shuffles of the classes, three of each, and a shuffle of the six, on one generator."""
    everything = items(40)
    generator = random.Random(0)
    supported, hallucinated = everything[0::2], everything[1::2]
    generator.shuffle(supported)
    generator.shuffle(hallucinated)
    expected = supported[:3] + hallucinated[:3]
    generator.shuffle(expected)
    assert fewshot.examples(everything) == tuple(expected)
    assert [example.uid for example in fewshot.examples(items(40))] == [e.uid for e in expected]


def test_a_benchmark_with_too_few_items_says_so() -> None:
    with pytest.raises(InputError, match=r"toy: the probe needs 3 supported and 3 hallucinated items"):
        with_examples(benchmark("toy"), items(4))


def test_a_prompt_word_for_word() -> None:
    worked = (item(1, 0), item(2, 1))
    assert fewshot.render("claimcheck", GROUNDED, item(3, 0, "Another."), worked) == (
        "Decide whether each claim is fully supported by the given information. "
        "Answer Yes if it is, and No if it is not.\n\n"
        "Grounding document: A document.\nClaim: claim 1\nAnswer: Yes\n\n"
        "Grounding document: A document.\nClaim: claim 2\nAnswer: No\n\n"
        "Grounding document: Another.\nClaim: claim 3\nAnswer:"
    )


def test_questions_and_evidence_stand_where_they_say_something() -> None:
    asked = item(1, 0, question="What?")
    assert "Question: What?\nClaim: claim 1" in fewshot.render("def_on", UNGROUNDED, asked, ())
    assert "document" not in fewshot.render("def_on", UNGROUNDED, asked, ())
    # Under claim support a question that differs from the claim is said, one that repeats it is not.
    assert "Question: What?" in fewshot.render("claimcheck", GROUNDED, asked, ())
    assert "Question:" not in fewshot.render("claimcheck", GROUNDED, item(1, 0), ())
    assert "Question: claim 1" in fewshot.render("def_on", GROUNDED, item(1, 0), ())


def test_evidence_is_cut_by_characters() -> None:
    passages = replace(item(1, 0), evidence=("x" * 599, "y" * 2000))
    example = fewshot.render("claimcheck", GROUNDED, item(9, 0, ""), (passages,))
    assert f"Grounding document: {'x' * 599}\n ...\nClaim: claim 1" in example
    query = fewshot.render("claimcheck", GROUNDED, passages, ())
    assert f"{'x' * 599}\n{'y' * 1800} ...\nClaim" in query
    whole = fewshot.render("claimcheck", GROUNDED, item(1, 0, "z" * 2400), ())
    assert f"{'z' * 2400}\nClaim" in whole


def test_records_that_the_examples_are_of_are_not_asked() -> None:
    everything = items(40)
    probed = with_examples(benchmark("toy"), everything)
    condition = replace(CONDITION, frame="fewshot-claimcheck/1")
    left = {example.cluster for example in probed.examples}
    asked = [one for one in everything if probed.prompt(one, condition) is not None]
    assert [one.cluster in left for one in asked] == [False] * len(asked)
    assert len(asked) == 40 - 2 * len(left)
    # Under another frame all of them are.
    assert all(probed.prompt(one, replace(CONDITION, frame="claimcheck/1")) for one in everything)
