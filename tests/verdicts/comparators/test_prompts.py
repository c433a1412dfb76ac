"""Every adapter's prompt, word for word, and what it does with items of either frame."""

from __future__ import annotations

import json

import pytest

from raim.errors import InputError
from verdicts.benchmarks.items import Item
from verdicts.comparators import autoj, bespoke_minicheck, judgelm, minicheck_ft5, prometheus2
from verdicts.comparators.evidence import NO_EVIDENCE
from verdicts.comparators.registry import adapter_of, adapters, find, render
from verdicts.frames.task import Task

QA = Task("a medical research question", "Reference knowledge")
UNGROUNDED = Task("a general-knowledge question", None)
CLAIM = Task("a grounded claim", "Grounding document")
ANSWER = Item(
    "0:pos", 0, 0, " Do statins help? ", (" They lower risk. ", "", "By a third."), " Yes {they} do. "
)
ALONE = Item("1:pos", 1, 0, "Who wrote it?", (), "Nobody.")
CLAIMED = Item("2:neg", 2, 1, "It rains.", ("The sun shines.\nAll day.",), "It rains.")


def test_prometheus_is_its_cards_template() -> None:
    assert prometheus2.question_answer(QA, ANSWER) == (
        "[INST] You are a fair judge assistant tasked with providing clear, objective feedback based on specific "
        "criteria, ensuring each assessment reflects the absolute standards set for performance.\n\n"
        "###Task Description:\n"
        "An instruction (might include an Input inside it), a response to evaluate, a reference answer that gets a "
        "score of 5, and a score rubric representing a evaluation criteria are given.\n"
        "1. Write a detailed feedback that assess the quality of the response strictly based on the given score "
        "rubric, not evaluating in general.\n"
        "2. After writing a feedback, write a score that is an integer between 1 and 5. You should refer to the score "
        "rubric.\n"
        '3. The output format should look as follows: "(write a feedback for criteria) [RESULT] (an integer number '
        'between 1 and 5)"\n'
        "4. Please do not generate any other opening, closing, and explanations.\n\n"
        "###The instruction to evaluate:\n"
        "Do statins help?\n\n# Reference knowledge\n- They lower risk.\n- By a third.\n\n"
        "###Response to evaluate:\nYes {they} do.\n\n"
        "###Reference Answer (Score 5):\n"
        "An answer that is entirely faithful: every statement in it is stated in or directly entailed by the evidence, "
        "and it adds, alters and implies nothing beyond that.\n\n"
        "###Score Rubrics:\n"
        "[Is the answer faithful, that is, free of content that is incorrect, fabricated or not supported by the "
        "evidence?]\n"
        "Score 1: The answer contradicts the evidence, or its main content is fabricated.\n"
        "Score 2: The answer has important content that the evidence does not support.\n"
        "Score 3: The answer is mostly faithful, with some content that the evidence does not clearly support.\n"
        "Score 4: The answer is faithful but for a minor imprecision.\n"
        "Score 5: The answer is entirely faithful: the evidence supports everything in it.\n\n"
        "###Feedback: [/INST]"
    )


def test_prometheus_of_a_claim_speaks_of_claim_and_document() -> None:
    prompt = prometheus2.claim(CLAIM, CLAIMED)
    assert (
        "###The instruction to evaluate:\nIs the claim fully supported by the document?\n\n# Document\n"
        "The sun shines.\nAll day.\n\n###Response to evaluate:\nIt rains.\n" in prompt
    )
    assert "A claim that is entirely faithful" in prompt
    assert "Score 5: The claim is entirely faithful: the document supports" in prompt
    assert "answer is" not in prompt


def test_prometheus_without_evidence_judges_against_the_world() -> None:
    prompt = prometheus2.question_answer(UNGROUNDED, ALONE)
    assert f"Who wrote it?\n\n{NO_EVIDENCE}\n\n###Response" in prompt
    assert "not supported by established facts?]" in prompt
    assert "the evidence" not in prompt


def test_judgelm_keeps_its_words_in_the_published_layout() -> None:
    assert judgelm.question_answer(QA, ANSWER) == (
        "You are a helpful and precise assistant for checking the quality of the answer.\n"
        "[Question]\nDo statins help?\n\n"
        "[The Start of Assistant's Answer]\nYes {they} do.\n\n[The End of Assistant's Answer]\n\n"
        "[The Start of Reference Answer]\nThey lower risk.\nBy a third.\n\n[The End of Reference Answer]\n\n"
        "[System]\n"
        "We would like to request your feedback on the performance of the AI assistant in response to the user "
        "question displayed above.\n"
        "Please rate the helpfulness, relevance, accuracy, level of details of the response. The assistant receives an "
        "overall score on a scale of 1 to 10, where a higher score indicates better overall performance.\n"
        "Please first output a single line containing only one value indicating the score for the assistant. In the "
        "subsequent line, please provide a comprehensive explanation of your evaluation, avoiding any potential "
        "bias.\n\nScore:"
    )


def test_judgelm_has_no_reference_block_without_evidence() -> None:
    prompt = judgelm.question_answer(UNGROUNDED, ALONE)
    assert "Reference" not in prompt
    assert prompt.endswith("\n\nScore:")


def test_judgelm_of_a_claim_asks_a_fixed_question() -> None:
    prompt = judgelm.claim(CLAIM, CLAIMED)
    assert "[Question]\nIs the claim fully supported by the document?\n\n" in prompt
    assert "Answer]\nIt rains.\n\n" in prompt
    assert "[The Start of Reference Answer]\nThe sun shines.\nAll day.\n\n" in prompt


def test_auto_j_is_its_repositorys_template() -> None:
    assert autoj.question_answer(QA, ANSWER) == (
        "[INST] Write critiques for a submitted response on a given user's query, and grade the response:\n  \n"
        "[BEGIN DATA]\n***\n[Query]: Do statins help?\n\n"
        "Answer the question truthfully, and state nothing that the evidence does not support.\n\n"
        "# Reference knowledge\n- They lower risk.\n- By a third.\n***\n"
        "[Response]: Yes {they} do.\n***\n[END DATA]\n\n"
        "Write critiques for this response. After that, you should give a final rating for the response on a scale of "
        '1 to 10 by strictly following this format: "[[rating]]", for example: "Rating: [[5]]". [/INST]'
    )


def test_auto_j_of_a_claim_has_the_document_in_the_query() -> None:
    prompt = autoj.claim(CLAIM, CLAIMED)
    assert prompt.startswith("[INST] Write critiques")
    assert "[Query]: Is the claim fully supported by the document? The response is the claim" in prompt
    assert "# Document\nThe sun shines.\nAll day.\n***\n[Response]: It rains.\n***" in prompt


def test_minicheck_reads_document_then_claim() -> None:
    before, document, after = json.loads(minicheck_ft5.ADAPTER.render("claimcheck", CLAIM, CLAIMED))
    assert before + document + after == "predict: The sun shines.\nAll day.</s>It rains."


def test_minicheck_has_a_question_of_its_own_before_the_passages() -> None:
    _, document, after = json.loads(minicheck_ft5.ADAPTER.render("def_on", QA, ANSWER))
    assert document == "Do statins help?\n\nThey lower risk.\nBy a third."
    assert after == "</s>Yes {they} do."


def test_bespoke_is_its_packages_messages_in_its_own_turns() -> None:
    before, document, after = json.loads(bespoke_minicheck.ADAPTER.render("claimcheck", CLAIM, CLAIMED))
    assert before + document + after == (
        "<|im_start|>system\n"
        "Determine whether the provided claim is consistent with the corresponding document. Consistency in this "
        "context implies that all information presented in the claim is substantiated by the document. If not, it "
        "should be considered inconsistent. Please assess the claim's consistency with the document by responding with "
        'either "Yes" or "No".<|im_end|>\n'
        "<|im_start|>user\nDocument: The sun shines.\nAll day.\nClaim: It rains.<|im_end|>\n<|im_start|>assistant\n"
    )


@pytest.mark.parametrize("name", sorted(adapters()))
@pytest.mark.parametrize("gold", [0, 1])
def test_no_prompt_depends_on_gold(name: str, gold: int) -> None:
    for frame, task in (("def_on", QA), ("claimcheck", CLAIM)):
        item = Item(f"9:{gold}", 9, gold, "Q?", ("E.",), "A.")
        assert find(name).render(frame, task, item) == find(name).render(
            frame, task, Item("x", 1, 0, "Q?", ("E.",), "A.")
        )


def test_the_published_adapters_are_found_by_name() -> None:
    assert sorted(adapters()) == ["autoj", "bespoke_minicheck", "judgelm", "minicheck_ft5", "prometheus2"]
    with pytest.raises(InputError, match=r"no adapter 'abacus'; choose one of: .*judgelm"):
        find("abacus")


def test_a_conditions_frame_chooses_the_prompt() -> None:
    assert adapter_of("def_on/1") is None
    assert adapter_of("judgelm-def_on/1") is find("judgelm")
    assert render("claimcheck/1", CLAIM, CLAIMED).startswith("Determine whether the claim below")
    assert render("judgelm-claimcheck/1", CLAIM, CLAIMED) == judgelm.claim(CLAIM, CLAIMED)
