"""``raim verify``: exit status, and a report that names each mismatch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raim.cli import main
from verdicts.benchmarks.compare import index_rows, shipped_index
from verdicts.benchmarks.load import load_items
from verdicts.benchmarks.minipairs import BENCHMARK
from verdicts.records.index import write_index


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the benchmark that the project ships, to spoil."""
    assert BENCHMARK.source.file is not None
    path = tmp_path / "copy.jsonl"
    path.write_bytes(BENCHMARK.source.file.read_bytes())
    return path


def edit(path: Path, number: int, **changed: object) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows[number] |= changed
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_agreement(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "minipairs", "--file", str(copy)]) == 0
    out = capsys.readouterr().out
    assert "minipairs: 144 items in 72 clusters" in out
    assert "joined with 144 rows" in out
    assert "all agree" in out


def test_without_a_file_the_declared_source_is_read() -> None:
    assert main(["verify", "minipairs"]) == 0


def test_a_changed_text(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(copy, 5, supported="Something else.")
    assert main(["verify", "minipairs", "--file", str(copy)]) == 1
    out = capsys.readouterr().out
    assert "5:pos: content is" in out
    assert "5:pos: join is" in out
    assert "2 mismatches on 1 items" in out


def test_a_missing_row_is_a_difference_of_the_source_too(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = copy.read_text(encoding="utf-8").splitlines(keepends=True)
    copy.write_text("".join(lines[:-1]), encoding="utf-8")
    assert main(["verify", "minipairs", "--file", str(copy)]) == 1
    out = capsys.readouterr().out
    assert "source: 71 rows upstream instead of 72" in out
    assert "71:neg: missing" in out


def test_the_report_is_cut_where_asked(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = copy.read_text(encoding="utf-8").splitlines(keepends=True)
    copy.write_text("".join(lines[::-1]), encoding="utf-8")
    assert main(["verify", "minipairs", "--file", str(copy), "--show", "3"]) == 1
    out = capsys.readouterr().out
    assert out.count(" is ") == 3
    assert "... and 285 more" in out
    assert "288 mismatches on 144 items" in out


def test_an_index_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = index_rows(load_items(BENCHMARK))
    write_index(tmp_path / "own.tsv", rows[:-1])
    assert main(["verify", "minipairs", "--index", str(tmp_path / "own.tsv")]) == 1
    assert "71:neg: extra (the index lacks it)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "no-such-benchmark"],
        ["verify", "minipairs", "--file", "no-such-file.jsonl"],
        ["verify", "minipairs", "--index", "no-such-index.tsv"],
        ["verify", "minipairs", "--builder", "no-such-builder.py"],
        ["verify", "factscore"],
    ],
)
def test_bad_input_exits_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("raim: error: ")
    assert captured.out == ""


def test_a_benchmark_without_a_shipped_index_is_checked_on_its_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = {"evident_conflict": 0, "baseless_info": 0}
    row = {
        "query": "q",
        "context": "c",
        "output": "o",
        "task_type": "QA",
        "hallucination_labels_processed": counts,
    }
    bad = row | {"output": "p", "hallucination_labels_processed": counts | {"baseless_info": 1}}
    path = tmp_path / "ragtruth.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps(bad) + "\n", encoding="utf-8")
    assert shipped_index("ragtruth") is None
    assert main(["verify", "ragtruth", "--file", str(path)]) == 1
    out = capsys.readouterr().out
    assert "2 responses upstream instead of 5034" in out
    assert "2 items instead of 1362" in out
    assert "no index of this benchmark is shipped" in out


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("medhallu", "medhallu_pqa_labeled.csv"),
        ("truthfulqa", "truthfulqa.csv"),
        ("factscore", "factscore_instructgpt.jsonl"),
        ("wice", "wice_claim_test.jsonl"),
        ("xsum", "aggrefact_xsum.jsonl"),
        ("cnn", "aggrefact_cnn.jsonl"),
    ],
)
def test_the_publishers_copies_verify(name: str, file: str, shared_data: Path) -> None:
    assert main(["verify", name, "--file", str(shared_data / "benchmarks" / file)]) == 0
