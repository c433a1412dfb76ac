"""The coverage gate: who is flagged, where it is shown, and that a flag hides nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.panel.coverage_gate import flagged, suite_flagged
from analysis.pipeline.derive import derive_suite
from analysis.pipeline.derived import Derived
from analysis.pipeline.summary import summary
from analysis.tables import table22
from analysis.tables.render import to_csv, to_markdown
from raim.cli import main
from raim.errors import InputError
from tests.synthetic import Judge, make_suite, write_votes
from verdicts.records.index import read_index
from verdicts.records.lock import write_lock
from verdicts.records.suite import read_suite, write_suite

JUDGES = (
    Judge("steady", 0.8, missing=0.0),
    Judge("quiet", 0.8, missing=0.2),
    Judge("other", 0.5, missing=0.0),
    Judge("frontier", 1.0, missing=0.3, role="frontier"),
)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Two judges commit on too little, one has no verdict at all on one benchmark, and one is half done there."""
    judges = (*JUDGES, Judge("mute", 0.5), Judge("half", 0.5))
    folder = make_suite(tmp_path / "toy", judges)
    rows = read_index(folder / "index" / "medhallu.tsv")
    write_votes(folder / "records/medhallu/mute.jsonl.gz", "mute", rows, np.full(len(rows), np.nan))
    votes = np.where(np.arange(len(rows)) < 20, 1.0, np.inf)
    votes[:5] = np.nan
    write_votes(folder / "records/medhallu/half.jsonl.gz", "half", rows, votes)
    write_lock(folder)
    return folder


def overview(suite: Path, folder: Path) -> Derived:
    list(derive_suite(["overview"], suite, folder, ["factscore", "medhallu"]))
    return Derived(folder)


def shares(suite: Path, gate: float | None = None) -> dict[tuple[str, str], float]:
    return {(one.benchmark, one.judge): one.share for one in suite_flagged(suite, gate)}


def test_who_is_below_the_gate_is_flagged(suite: Path, tmp_path: Path) -> None:
    found = shares(suite)
    assert {judge for _, judge in found} >= {"quiet", "frontier", "mute", "half"}
    assert not {judge for _, judge in found} & {"steady", "other"}
    assert found["medhallu", "mute"] == 0.0
    assert found["medhallu", "half"] == 15 / 20
    # From the derived tier: the same, but for a judge that is not done yet, whose coverage is not known there.
    derived = overview(suite, tmp_path / "derived").overview
    assert {(one.benchmark, one.judge): one.share for one in flagged(derived)} == {
        key: share for key, share in found.items() if key != ("medhallu", "half")
    }
    # A flag hides nothing.
    assert "quiet" in derived["benchmarks"]["medhallu"]["members"]


def test_the_gate_is_the_suites_or_the_one_given(suite: Path, tmp_path: Path) -> None:
    assert shares(suite, 0.0) == {}
    assert ("medhallu", "quiet") not in shares(suite, 0.5)
    assert len(shares(suite, 1.0)) >= len(shares(suite))
    write_suite(suite, replace(read_suite(suite), coverage_gate=0.5))
    assert set(shares(suite)) == {("medhallu", "mute")}
    write_lock(suite)
    assert {one.judge for one in flagged(overview(suite, tmp_path / "derived").overview)} == {"mute"}
    with pytest.raises(InputError, match="coverage gate 95"):
        shares(suite, 95.0)


def test_flags_are_shown_in_table_22_and_on_the_suites_page(suite: Path, tmp_path: Path) -> None:
    derived = overview(suite, tmp_path / "derived")
    table = table22.build(derived)
    text = to_markdown(table)
    assert "below 0.95, the suite's coverage gate; flagged, and counted like the others: " in text
    for one in flagged(derived.overview):
        assert f"{one.judge.title()} on {one.benchmark.upper()} ({one.share:.3f})" in text
    assert "flagged, and counted" in to_csv(table)
    page = summary(derived.overview, {})
    assert "Coverage below 0.95 (flagged, and counted like the others):" in page
    assert "- mute on medhallu: 0.000 (0 of 80)" in page
    full = overview(make_suite(tmp_path / "full", JUDGES[:1] + JUDGES[2:3]), tmp_path / "other")
    assert "no judge is flagged" in to_markdown(table22.build(full))
    assert "Coverage below" not in summary(full.overview, {})


def test_verify_prints_flags_and_changes_no_status(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--lock", str(suite)]) == 0
    printed = capsys.readouterr().out
    assert "flagged, low coverage: mute on medhallu: 0.000 (0 of 80)" in printed
    assert "flagged, low coverage: half on medhallu: 0.750 (15 of 20)" in printed
    assert main(["verify", "--lock", str(suite), "--coverage-gate", "0"]) == 0
    assert "flagged" not in capsys.readouterr().out
    assert main(["verify", "minipairs", "--coverage-gate", "0.5"]) == 2
    assert "--coverage-gate goes with --lock" in capsys.readouterr().err
