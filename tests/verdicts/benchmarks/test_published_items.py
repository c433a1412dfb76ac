"""The builders on the publishers' data: every item of the public release, row for row."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from verdicts.benchmarks.load import build_items, load_items
from verdicts.benchmarks.registry import find

#: Benchmark, file in the shared data, number of items.
COPIES = [
    ("medhallu", "medhallu_pqa_labeled.csv", 2_000),
    ("truthfulqa", "truthfulqa.csv", 1_634),
    ("factscore", "factscore_instructgpt.jsonl", 330),
    ("wice", "wice_claim_test.jsonl", 222),
    ("xsum", "aggrefact_xsum.jsonl", 546),
    ("cnn", "aggrefact_cnn.jsonl", 114),
]


def test_the_copies_make_up_the_whole_published_index() -> None:
    assert sum(items for _, _, items in COPIES) == 4_846


@pytest.mark.parametrize(("name", "file", "items"), COPIES)
def test_items_are_the_published_ones(
    name: str, file: str, items: int, shared_data: Path, shared_spec: Path
) -> None:
    benchmark = find(name)
    built = build_items(benchmark, shared_data / "benchmarks" / file)
    with (shared_spec / "join_index" / f"{benchmark.release_name}.tsv").open(encoding="utf-8") as handle:
        published = [tuple(row.values()) for row in csv.DictReader(handle, delimiter="\t")]
    found = [(item.uid, str(item.cluster), str(item.gold), item.join_key) for item in built.items]
    assert found == published
    assert len(found) == items
    assert built.differences == ()


@pytest.mark.parametrize(("name", "file", "items"), COPIES)
def test_the_shipped_index_is_that_of_the_copies(name: str, file: str, items: int, shared_data: Path) -> None:
    # load_items compares with the shipped index and with Table 18, and raises on any difference.
    assert len(load_items(find(name), shared_data / "benchmarks" / file)) == items


def test_cnn_starts_with_the_key_that_the_release_documents(shared_data: Path) -> None:
    first = build_items(find("cnn"), shared_data / "benchmarks" / "aggrefact_cnn.jsonl").items[0]
    assert (first.uid, first.join_key) == ("0:pos", "e19d30ec62fd5399e5dddd153cf58b03f290de37")
