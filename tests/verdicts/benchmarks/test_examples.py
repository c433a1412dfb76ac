"""Example items: which are chosen, how they are cut, and the command on a benchmark that is shipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from raim.cli import main
from raim.errors import InputError
from verdicts.benchmarks.examples import example, shortened
from verdicts.benchmarks.items import Item


def item(uid: str, cluster: int, evidence: tuple[str, ...] = ("a", "b")) -> Item:
    return Item(uid, cluster, int(uid.endswith("neg")), f"question {uid}", evidence, f"candidate {uid}")


def test_a_pair_from_one_record_where_the_first_has_both_classes() -> None:
    found = example("A", [item("0:pos", 0), item("0:neg", 0), item("1:pos", 1)])
    assert (found.supported.uid, found.hallucinated.uid, found.matched) == ("0:pos", "0:neg", True)
    assert found.fields()[1] == ("evidence", "a b")


def test_the_first_of_either_class_from_a_pool() -> None:
    found = example("A", [item("0:neg", 0), item("1:pos", 1, ()), item("2:neg", 2)])
    assert (found.supported.uid, found.hallucinated.uid, found.matched) == ("1:pos", "0:neg", False)
    assert found.fields()[:2] == [("question", "question 1:pos"), ("evidence", "none supplied (ungrounded)")]


def test_one_class_alone_is_refused() -> None:
    with pytest.raises(InputError, match="no item of one of the two classes"):
        example("A", [item("0:neg", 0)])


def test_a_long_text_is_cut_on_one_line() -> None:
    assert shortened("a\n b", 10) == "a b"
    assert shortened("x" * 20, 20) == "x" * 20
    assert shortened("word " * 10, 10) == "word word …"


def test_the_command_shows_the_shipped_benchmark(tmp_path: Path) -> None:
    page = tmp_path / "examples.md"
    assert main(["examples", "minipairs", "--out", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("**Table 19.** One item from each dataset paired within a source record.")
    assert text.count("| candidate,") == 2
    assert "Table 20" not in text


def test_the_papers_own_examples(shared_data: Path, tmp_path: Path) -> None:
    page, folder = tmp_path / "examples.md", shared_data / "benchmarks"
    sources = [f"medhallu={folder / 'medhallu_pqa_labeled.csv'}", f"wice={folder / 'wice_claim_test.jsonl'}"]
    assert main(["examples", *sources, "--out", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "0:pos and 0:neg, same cluster" in text
    assert "1:pos and 0:neg, different clusters" in text
    assert "| question | Each player received a key to the city from Mayor Bill de Blasio. |" in text
    assert "highlight the correlation o …" in text
