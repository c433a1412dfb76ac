"""The project's own benchmark, checked for what a machine can check: shape, balance, and no cue in length."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from verdicts.benchmarks.load import load_items
from verdicts.benchmarks.minipairs import BENCHMARK

KINDS = {
    "reversed finding", "invented number", "added specific", "wrong entity", "misread question", "negation"
}  # fmt: skip


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    assert BENCHMARK.source.file is not None
    return [json.loads(line) for line in BENCHMARK.source.file.read_text(encoding="utf-8").splitlines()]


def test_it_loads_against_its_index_and_its_counts() -> None:
    items = load_items(BENCHMARK)
    assert Counter(item.gold for item in items) == {0: 72, 1: 72}
    assert Counter(Counter(item.cluster for item in items).values()) == {2: 72}


def test_kinds_are_balanced_and_subjects_varied(rows: list[dict[str, Any]]) -> None:
    assert Counter(row["category"] for row in rows) == dict.fromkeys(KINDS, 12)
    assert len({row["subject"] for row in rows}) >= 30
    assert set(Counter(row["difficulty"] for row in rows)) == {"easy", "medium", "hard"}
    assert min(Counter(row["difficulty"] for row in rows).values()) >= 12


def test_texts_are_distinct_clean_and_short(rows: list[dict[str, Any]]) -> None:
    texts = [
        text
        for row in rows
        for text in (row["question"], *row["evidence"], row["supported"], row["hallucinated"])
    ]
    assert len(set(texts)) == len(texts) == 4 * 72
    assert all(text == text.strip() and "  " not in text and "\n" not in text for text in texts)
    assert all(row["question"].endswith("?") for row in rows)
    assert all(text.endswith((".", "?")) for text in texts)
    for row in rows:
        (passage,) = row["evidence"]
        assert 2 <= len(re.findall(r"[.?!](?= [A-Z]|$)", passage)) <= 4
        assert 20 <= len(passage.split()) <= 60


def test_length_is_no_cue(rows: list[dict[str, Any]]) -> None:
    differences = [len(row["hallucinated"]) - len(row["supported"]) for row in rows]
    assert abs(sum(differences)) / len(rows) < 1.0
    assert max(map(abs, differences)) <= 15
    longer = sum(d > 0 for d in differences)
    shorter = sum(d < 0 for d in differences)
    # Guessing the longer candidate of each pair must not beat chance by more than a handful of pairs.
    assert abs(longer - shorter) <= 10


def test_words_of_negation_are_no_cue(rows: list[dict[str, Any]]) -> None:
    negated = Counter(
        column
        for row in rows
        for column in ("supported", "hallucinated")
        if re.search(r"\b(?:not?|never|none)\b", row[column].lower())
    )
    assert abs(negated["supported"] - negated["hallucinated"]) <= 4


def test_the_file_ships_with_the_package(root: Path) -> None:
    assert BENCHMARK.source.file == root / "verdicts" / "benchmarks" / "minipairs.jsonl"
