"""Selection rules of the benchmarks that pair within a source record, on small sources written here."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from raim.errors import InputError
from verdicts.benchmarks import factscore, medhallu, ragtruth, truthfulqa
from verdicts.benchmarks.items import Item


def pairs(items: list[Item]) -> list[tuple[str, int | str, int, str]]:
    return [(item.uid, item.cluster, item.gold, item.candidate) for item in items]


# MedHallu


def medhallu_row(**changed: Any) -> dict[str, Any]:
    return {
        "Question": "Does tea stain?",
        "Knowledge": ["Tea holds tannins.", "Tannins stain."],
        "Ground Truth": "It does.",
        "Difficulty Level": "easy",
        "Hallucinated Answer": "It bleaches.",
        "Category of Hallucination": "Reversal",
    } | changed


def test_medhallu_takes_both_answers_against_the_same_passages() -> None:
    items = medhallu.build([medhallu_row(), medhallu_row(Question="And coffee?")])
    assert pairs(items) == [
        ("0:pos", 0, 0, "It does."),
        ("0:neg", 0, 1, "It bleaches."),
        ("1:pos", 1, 0, "It does."),
        ("1:neg", 1, 1, "It bleaches."),
    ]
    assert items[0].evidence == items[1].evidence == ("Tea holds tannins.", "Tannins stain.")
    assert (items[0].stratum, items[0].category) == ("easy", "Reversal")


@pytest.mark.parametrize(
    ("printed", "passages"),
    [
        ("['one']", ["one"]),
        ("['one'\n 'two']", ["one", "two"]),
        ("['one' \"two's\"\n 'three']", ["one", "two's", "three"]),
        (r"['a \'b\' \"c\"' 'tab\tand \u2265']", ["a 'b' \"c\"", "tab\tand \u2265"]),
        (r"['ends in a backslash \\' 'next']", ["ends in a backslash \\", "next"]),
        ('["it\'s ] [ here"]', ["it's ] [ here"]),
        ("['']", [""]),
        ("[]", []),
    ],
)
def test_medhallu_reads_a_printed_array_exactly(printed: str, passages: list[str]) -> None:
    assert medhallu.parse_array(printed) == passages


@pytest.mark.parametrize(
    "printed", ["", "one", "['one'", "['one', 'two']", "['one' two]", "['one' 'two]", "[None]"]
)
def test_medhallu_refuses_what_it_cannot_read_whole(printed: str) -> None:
    with pytest.raises(ValueError, match="not a printed array"):
        medhallu.parse_array(printed)


def test_medhallu_adapts_the_csv_and_leaves_the_hubs_rows() -> None:
    row = medhallu_row()
    assert medhallu.adapt(row) == row
    assert medhallu.adapt(medhallu_row(Knowledge="['a' 'b']"))["Knowledge"] == ["a", "b"]
    with pytest.raises(InputError, match="Knowledge"):
        medhallu.adapt(medhallu_row(Knowledge="['a', 'b']"))


# TruthfulQA


def truthfulqa_row(**changed: Any) -> dict[str, Any]:
    return {
        "type": "Adversarial",
        "category": "Myths",
        "question": "Do bulls hate red?",
        "best_answer": "No, they cannot see it well",
        "correct_answers": ["No", "Movement angers them"],
        "incorrect_answers": ["Yes", "Red maddens them"],
    } | changed


def test_truthfulqa_pairs_the_best_and_the_first_incorrect_answer() -> None:
    items = truthfulqa.build([truthfulqa_row()])
    assert pairs(items) == [("0:pos", 0, 0, "No, they cannot see it well"), ("0:neg", 0, 1, "Yes")]
    assert items[0].evidence == ()


@pytest.mark.parametrize("absent", ["", None])
def test_truthfulqa_falls_back_on_the_first_correct_answer(absent: str | None) -> None:
    assert truthfulqa.build([truthfulqa_row(best_answer=absent)])[0].candidate == "No"


def test_truthfulqa_passes_over_a_question_that_lacks_either_and_keeps_the_numbers() -> None:
    rows = [
        truthfulqa_row(best_answer="", correct_answers=[]),
        truthfulqa_row(incorrect_answers=[]),
        truthfulqa_row(),
    ]
    assert [item.uid for item in truthfulqa.build(rows)] == ["2:pos", "2:neg"]


def test_truthfulqa_splits_the_upstream_lists() -> None:
    upstream = {
        "Type": "Adversarial",
        "Category": "Myths",
        "Question": "Q",
        "Best Answer": "B",
        "Correct Answers": "One; two, with a comma;",
        "Incorrect Answers": " Three ;Four",
        "Source": "somewhere",
    }
    adapted = truthfulqa.adapt(upstream)
    assert adapted["correct_answers"] == ["One", "two, with a comma"]
    assert adapted["incorrect_answers"] == ["Three", "Four"]
    assert set(adapted) == {*truthfulqa.BENCHMARK.source.columns, "Source"}
    assert truthfulqa.adapt(adapted) == adapted
    # A column under another name is the one that is then missed.
    upstream["Best"] = upstream.pop("Best Answer")
    assert set(truthfulqa.BENCHMARK.source.columns) - set(truthfulqa.adapt(upstream)) == {"best_answer"}


# FActScore


def sentence(*facts: tuple[str, str], **marks: Any) -> dict[str, Any]:
    return {"human-atomic-facts": [{"label": label, "text": fact} for label, fact in facts]} | marks


def biography(*sentences: dict[str, Any] | None, topic: str = "Ada Example") -> dict[str, Any]:
    return {"topic": topic, "annotations": None if sentences == (None,) else list(sentences)}


def test_factscore_takes_the_first_fact_of_each_class() -> None:
    row = biography(
        sentence(("IR", "ignored"), ("NS", "wrong 1"), ("NS", "wrong 2"), **{"is-relevant": True}),
        sentence(("S", "right 1"), ("S", "right 2")),
    )
    items = factscore.build([row])
    assert pairs(items) == [("0:pos", 0, 0, "right 1"), ("0:neg", 0, 1, "wrong 1")]
    assert items[0].question == "Is the following biographical claim about Ada Example factually correct?"
    assert items[0].evidence == ()


def test_factscore_skips_only_sentences_marked_irrelevant() -> None:
    row = biography(
        sentence(("S", "irrelevant"), ("NS", "irrelevant too"), **{"is-relevant": False}),
        sentence(("S", "unmarked"), **{"is-relevant": None}),
        sentence(("NS", "relevant"), **{"is-relevant": True}),
        {"is-relevant": True, "human-atomic-facts": None},
    )
    assert [item.candidate for item in factscore.build([row])] == ["unmarked", "relevant"]


def test_factscore_drops_biographies_of_one_class_and_keeps_line_numbers() -> None:
    rows = [
        biography(sentence(("S", "only right"))),
        biography(None),
        biography(sentence(("IR", "nothing"), ("NS", "only wrong"))),
        biography(sentence(("NS", "w"), ("S", "r"))),
    ]
    assert pairs(factscore.build(rows)) == [("3:pos", 3, 0, "r"), ("3:neg", 3, 1, "w")]


# RAGTruth


def response(output: str, conflicts: int = 0, baseless: int = 0, **changed: Any) -> dict[str, Any]:
    return {
        "query": "opening hours",
        "context": "The shop opens at nine.",
        "output": output,
        "task_type": "QA",
        "hallucination_labels_processed": {"evident_conflict": conflicts, "baseless_info": baseless},
    } | changed


def test_ragtruth_takes_the_first_response_of_each_class() -> None:
    rows = [
        response("clean 1"),
        response("clean 2"),
        response("bad 1", conflicts=2),
        response("bad 2", baseless=1),
    ]
    items = ragtruth.build(rows)
    assert pairs(items) == [("0:pos", 0, 0, "clean 1"), ("0:neg", 0, 1, "bad 1")]
    assert {item.evidence for item in items} == {("The shop opens at nine.",)}
    assert pairs(ragtruth.build(rows[::-1])) == [("0:pos", 0, 0, "clean 2"), ("0:neg", 0, 1, "bad 2")]


def test_ragtruth_reads_either_kind_of_span_and_the_raw_list_only_without_counts() -> None:
    for bad in (
        response("bad", conflicts=1),
        response("bad", baseless=1),
        response("bad", hallucination_labels_processed=None, hallucination_labels='[{"start": 0}]'),
    ):
        assert [item.gold for item in ragtruth.build([response("clean"), bad])] == [0, 1]
    for clean in (
        response("clean", hallucination_labels='[{"start": 0}]'),
        response("clean", hallucination_labels_processed=None, hallucination_labels="[]"),
        response("clean", hallucination_labels_processed=None, hallucination_labels=""),
        response("clean", hallucination_labels_processed=None),
    ):
        assert ragtruth.build([response("first"), clean]) == []


def test_ragtruth_keeps_looking_for_the_same_context(caplog: pytest.LogCaptureFixture) -> None:
    rows = [
        response("clean"),
        response("bad, elsewhere", conflicts=1, context="Another passage."),
        response("bad, here", conflicts=1),
    ]
    with caplog.at_level(logging.WARNING):
        assert [item.candidate for item in ragtruth.build(rows)] == ["clean", "bad, here"]
    assert "1 responses were passed over" in caplog.text
    assert ragtruth.build(rows[:2]) == []


def test_ragtruth_numbers_the_kept_questions_in_order_of_appearance() -> None:
    rows = [
        response("clean", query="only one class"),
        response("clean", query="b"),
        response("clean", query="a "),
        response("bad", query="no context", context="", conflicts=1),
        response("clean", query="no context", context=""),
        response("bad", query=" a", conflicts=1),
        response("bad", query="b", conflicts=1),
        response("clean", query="summary", task_type="Summary"),
        response("bad", query="summary", task_type="Summary", conflicts=1),
        response("clean", query="c", task_type="qa"),
        response("bad", query="c", task_type="qa", conflicts=1),
    ]
    items = ragtruth.build(rows)
    assert [(item.uid, item.question) for item in items] == [
        ("0:pos", "b"), ("0:neg", "b"), ("1:pos", "a"), ("1:neg", "a"), ("2:pos", "c"), ("2:neg", "c"),
    ]  # fmt: skip
    assert ragtruth.pool(rows) == {"responses": 9, "questions": 5}
