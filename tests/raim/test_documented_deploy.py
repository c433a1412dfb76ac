"""The example of docs/deploy.md, taken on the shipped suite."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from raim.cli import main

LABELLED = 250


def documented(page: Path) -> list[str]:
    """What the example's commands print, as the page has it; ``...`` stands for lines left out."""
    block = page.read_text(encoding="utf-8").split("## Example")[1].split("```")[1]
    return [line for line in block.splitlines() if line and line != "..." and not line.startswith("$ ")]


def test_the_documented_example_is_what_the_commands_print(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["votes", str(root / "suites" / "sim"), "factscore", "--out", "votes.csv"]) == 0
    with open("votes.csv", encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    labelled = [header, *rows[:LABELLED]]
    # Without the columns of the cluster and gold.
    new = [[row[0], *row[3:]] for row in (header, *rows[LABELLED:])]
    for name, content in (("labelled.csv", labelled), ("new.csv", new)):
        with open(name, "w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(content)
    assert main(["fit", "labelled.csv", "--model", "factscore.json"]) == 0
    assert main(["apply", "factscore.json", "new.csv", "--out", "verdicts.csv"]) == 0
    printed = capsys.readouterr().out + Path("verdicts.csv").read_text(encoding="utf-8")
    lines = documented(root / "docs" / "deploy.md")
    assert len(lines) > 15
    assert [line for line in lines if line not in printed.splitlines()] == []
