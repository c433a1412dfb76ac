"""`raim votes`: the panel's columns, and who is missing of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from raim.cli import main
from tests.synthetic import Judge, make_suite


def test_only_members_are_written_and_missed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    away = ("medhallu",)
    judges = (
        Judge("a", 0.8),
        Judge("b", 0.5, only=away),
        Judge("c", 0.5, role="larger", only=away),
        Judge("d", 1.0, role="frontier"),
    )
    suite, out = make_suite(tmp_path / "toy", judges), tmp_path / "votes.csv"
    assert main(["votes", str(suite), "factscore", "--out", str(out)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{out}: 60 items, 1 members",
        "left out: b (not asked about this benchmark)",
    ]
    assert out.read_text(encoding="utf-8").splitlines()[0] == "item,cluster,gold,a"
