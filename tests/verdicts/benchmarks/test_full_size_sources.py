"""RAGTruth and ExpertQA at their full size, on sources generated here in the documented columns.

Their data is not at hand. What can be held is that a source with Table 18's pool passes every check, and that
one response more or less is named.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from verdicts.benchmarks.load import build_items, load_items
from verdicts.benchmarks.registry import find


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def ragtruth_rows() -> list[dict[str, Any]]:
    """839 questions of six responses each; the first 681 get both classes, the others one, and none but QA
    counts."""
    rows = []
    for question in range(839):
        for number in range(6):
            bad = number % 2 == 1 if question < 681 else question % 2 == 1
            rows.append(
                {
                    "query": f"question {question}",
                    "context": f"passage {question}",
                    "output": f"response {question}.{number}",
                    "task_type": "QA",
                    "hallucination_labels_processed": {"evident_conflict": int(bad), "baseless_info": 0},
                }
            )
    return [*rows, rows[0] | {"task_type": "Summary", "output": "a summary"}]


def expertqa_rows() -> list[dict[str, Any]]:
    """2,971 supported and 731 unsupported claims over 3,135 documents, among rows of another set."""
    rows = [
        {"dataset": "ExpertQA", "doc": f"doc {i % 3_135}", "claim": f"claim {i}", "label": int(i < 2_971)}
        for i in range(3_702)
    ]
    return [{"dataset": "Reveal", "doc": "d", "claim": "c", "label": 1}, *rows]


def test_ragtruth_passes_every_check(tmp_path: Path) -> None:
    items = load_items(find("ragtruth"), written(tmp_path / "ragtruth.jsonl", ragtruth_rows()))
    assert len(items) == 1_362
    assert items[-1].uid == "680:neg"


def test_ragtruth_with_a_response_less_says_what_differs(tmp_path: Path) -> None:
    rows = [row for row in ragtruth_rows() if not row["output"].startswith("response 680.")]
    with pytest.raises(
        InputError, match="5028 responses upstream instead of 5034; 838 questions upstream"
    ) as raised:
        load_items(find("ragtruth"), written(tmp_path / "ragtruth.jsonl", rows))
    assert "1360 items instead of 1362; 680 clusters instead of 681" in str(raised.value)
    assert "revision eb4f4b9d1b68eb7092d3e1a61c0cd82d9808737b" in str(raised.value)


def test_expertqa_has_the_pool_and_the_balance(tmp_path: Path) -> None:
    built = build_items(find("expertqa"), written(tmp_path / "expertqa.jsonl", expertqa_rows()))
    assert len(built.items) == 1_462
    # Which claims share a document is this file's own, so the clusters are the one count that may differ.
    assert [difference.split(" ", 1)[1] for difference in built.differences] == ["clusters instead of 1360"]
