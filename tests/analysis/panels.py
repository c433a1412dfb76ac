"""Real panels as files of votes: converters for publishers' data, which lies beside the checkout."""

from __future__ import annotations

import csv
import json
from pathlib import Path


def framing_votes(folder: Path, out: Path) -> Path:
    """Six LLM judges' yes/no on framing questions about news articles; yes is 1.

    Gold is 1 where more than half of the humans' answers to the item are yes. Each item has three answers,
    seven of which are "n/a: problem is resolved" and count as not yes, so no item is a tie. The cluster is
    the article: the id before the double underscore.
    """
    humans = json.loads((folder / "human_annotations.json").read_text(encoding="utf-8"))
    judges = json.loads((folder / "llm_annotations.json").read_text(encoding="utf-8"))
    answers: dict[str, list[str]] = {}
    for labels in humans.values():
        for item, label in labels.items():
            answers.setdefault(item, []).append(label)
    binary = {"yes": "1", "no": "0"}
    rows = [
        [
            item,
            item.split("__")[0],
            int(2 * given.count("yes") > len(given)),
            *(binary[labels[item]] for labels in judges.values()),
        ]
        for item, given in answers.items()
    ]
    return _write(out, ["item", "cluster", "gold", *judges], rows)


def faithbench_votes(path: Path, out: Path) -> Path:
    """Eight detectors on FaithBench summaries; 1 = hallucinated, so that the file's "consistent" is turned
    round.

    The three HHEM columns are probabilities of consistency, read at 0.5. Gold is 1 where the worst span an
    annotator marked is unwanted or questionable. An empty cell is an abstention.
    """
    with path.open(encoding="utf-8", newline="") as handle:
        source = list(csv.DictReader(handle))
    members = list(source[0])[list(source[0]).index("hhemv1") :]

    def verdict(name: str, cell: str) -> str:
        if not cell:
            return ""
        consistent = float(cell) >= 0.5 if name.startswith("hhem") else cell == "1"
        return "0" if consistent else "1"

    rows = [
        [
            row["item"],
            row["cluster"],
            1 - int(row["consistent_worst_unwanted_or_questionable"]),
            *(verdict(name, row[name]) for name in members),
        ]
        for row in source
    ]
    return _write(out, ["item", "cluster", "gold", *members], rows)


def _write(out: Path, header: list[str], rows: list[list[object]]) -> Path:
    with out.open("w", encoding="utf-8", newline="") as handle:
        csv.writer(handle).writerows([header, *rows])
    return out
