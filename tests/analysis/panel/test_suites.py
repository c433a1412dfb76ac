"""From released records to votes: who is in a panel, who is not and why, and what a vote is."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.panel.suites import load_panel, records_digest, votes_of
from analysis.pipeline.derive import derive_benchmark
from raim.errors import InputError
from tests.synthetic import FRONTIER, PANEL, Judge, make_suite
from tests.verdicts.making import CONDITION, SCORED, record, run
from verdicts.records.files import RecordFile, read_record_file, write_record_file
from verdicts.records.index import IndexRow, read_index
from verdicts.records.lock import locked_digest, write_lock
from verdicts.records.schema import Distribution, Verdict
from verdicts.records.suite import read_suite, write_suite

JUDGES = (*PANEL, FRONTIER)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = make_suite(tmp_path / "toy", JUDGES)
    write_lock(folder)
    return folder


def rewrite(suite: Path, judge: str, benchmark: str = "factscore", kept: slice = slice(None)) -> None:
    """Write a judge's file with some of its records only."""
    path = suite / "records" / benchmark / f"{judge}.jsonl.gz"
    file = read_record_file(path)
    write_record_file(path, file.condition, list(file.records.values())[kept], file.runs)


def test_a_panel_is_the_suites_records(suite: Path) -> None:
    panel = load_panel(suite, "factscore")
    rows = {row.uid: row for row in read_index(suite / "index" / "factscore.tsv")}
    assert sorted(panel.votes.members) == sorted(judge.name for judge in PANEL)
    assert list(panel.comparators) == ["sonnet"]
    assert panel.left_out == {}
    assert set(panel.judged.values()) == {60}
    assert [int(gold) for gold in panel.votes.gold] == [rows[uid].gold for uid in panel.votes.uids]
    for name in panel.votes.members:
        records = read_record_file(suite / "records" / "factscore" / f"{name}.jsonl.gz").records
        column = panel.votes.votes[:, panel.votes.members.index(name)]
        for uid, vote in zip(panel.votes.uids, column, strict=True):
            value = records[rows[uid].content].value
            assert isinstance(value, Verdict)
            assert (None if np.isnan(vote) else vote) == value.verdict
    comparator = read_record_file(suite / "records" / "factscore" / "sonnet.jsonl.gz").records
    verdicts = [comparator[rows[uid].content].value for uid in panel.votes.uids]
    expected = [np.nan if v.verdict is None else v.verdict for v in verdicts]  # type: ignore[union-attr]
    np.testing.assert_array_equal(panel.comparators["sonnet"], expected)


def test_a_member_that_lacks_items_is_left_out(suite: Path) -> None:
    rewrite(suite, PANEL[0].name, kept=slice(0, 59))
    panel = load_panel(suite, "factscore")
    assert PANEL[0].name not in panel.votes.members
    assert panel.left_out == {PANEL[0].name: "missing: 59 of 60 items judged"}
    assert panel.judged[PANEL[0].name] == 59
    # It is whole elsewhere.
    assert PANEL[0].name in load_panel(suite, "medhallu").votes.members


def test_a_member_without_a_file_is_missing_where_it_is_asked(suite: Path) -> None:
    """What a plan names and nobody has judged yet is not what no plan asks for."""
    (suite / "records" / "factscore" / "sonnet.jsonl.gz").unlink()
    panel = load_panel(suite, "factscore")
    assert panel.comparators == {}
    assert panel.left_out == {"sonnet": "missing: 0 of 60 items judged"}
    description = read_suite(suite)
    asked = replace(description.members["sonnet"], benchmarks=("medhallu",))
    write_suite(suite, replace(description, members={**description.members, "sonnet": asked}))
    assert load_panel(suite, "factscore").left_out == {"sonnet": "not asked about this benchmark"}
    assert load_panel(suite, "medhallu").left_out == {}


def test_a_description_says_only_what_differs(suite: Path) -> None:
    """Descriptions from before there were gates and restricted members stay what they are, and read as they did."""
    description = read_suite(suite)
    before = (suite / "suite.json").read_text()
    for word in ("coverage_gate", "needs_document", '"benchmarks": ['):
        assert word not in before
    member = replace(description.members["sonnet"], benchmarks=("medhallu",), needs_document=True)
    changed = replace(description, members={**description.members, "sonnet": member}, coverage_gate=0.9)
    write_suite(suite, changed)
    assert read_suite(suite) == changed
    write_suite(suite, description)
    assert (suite / "suite.json").read_text() == before


def test_a_member_that_never_commits_is_left_out(suite: Path) -> None:
    path = suite / "records" / "factscore" / f"{PANEL[1].name}.jsonl.gz"
    file = read_record_file(path)
    silent = [
        replace(r, value=replace(r.value, verdict=None, rule="empty"))  # type: ignore[type-var]
        for r in file.records.values()
    ]
    write_record_file(path, file.condition, silent, file.runs)
    assert load_panel(suite, "factscore").left_out == {PANEL[1].name: "committed on none of 60 items"}


def test_a_panel_of_nobody_says_what_to_do(suite: Path) -> None:
    for judge in PANEL:
        rewrite(suite, judge.name, kept=slice(0, 3))
    with pytest.raises(
        InputError, match=r"no member has judged all of factscore's 60 items .*missing: .*Finish the run"
    ):
        load_panel(suite, "factscore")


def test_a_panel_of_abstainers_says_so(tmp_path: Path) -> None:
    mute = make_suite(tmp_path / "toy", [Judge("mute", 0.5, missing=1.0)])
    with pytest.raises(InputError, match=r"given a verdict: mute \(committed on none of 60 items\)"):
        load_panel(mute, "factscore")


def test_a_benchmark_that_no_estimator_is_defined_on_is_named(tmp_path: Path) -> None:
    small = make_suite(tmp_path / "toy", benchmarks={"medhallu": 4})
    with pytest.raises(InputError, match=r"toy: medhallu cannot be analysed: 4 clusters are fewer"):
        next(derive_benchmark(("ladder",), small, tmp_path / "derived", "medhallu"))
    assert not (tmp_path / "derived").exists()


def test_a_probe_may_lack_its_worked_examples(suite: Path) -> None:
    description = read_suite(suite)
    probe = replace(description.members["sonnet"], role="probe_base")
    write_suite(suite, replace(description, members={**description.members, "sonnet": probe}))
    rewrite(suite, "sonnet", kept=slice(0, 50))
    panel = load_panel(suite, "factscore")
    assert int(np.isinf(panel.comparators["sonnet"]).sum()) == 10
    assert panel.left_out == {}


def test_a_damaged_file_is_named(suite: Path) -> None:
    path = suite / "records" / "factscore" / "sonnet.jsonl.gz"
    path.write_bytes(
        gzip.compress(gzip.decompress(path.read_bytes()).replace(b'"verdict":1', b'"verdict":0', 1))
    )
    with pytest.raises(InputError, match=r"sonnet\.jsonl\.gz, line \d+: does not match its checksum"):
        load_panel(suite, "factscore")


def test_an_unknown_benchmark_has_no_index(suite: Path) -> None:
    with pytest.raises(InputError, match=r"cnn\.tsv: cannot read the item index"):
        load_panel(suite, "cnn")


def rows(count: int) -> list[IndexRow]:
    return [IndexRow(f"{n}", "0", 0, record(n).item, "") for n in range(count)]


@pytest.mark.parametrize(
    ("probabilities", "vote"),
    [((0.5, 0.5), 1.0), ((0.51, 0.49), 0.0), ((0.0, 1.0), 1.0), ((1.0, 0.0), 0.0), (None, np.nan)],
)
def test_a_distribution_is_hallucinated_from_one_half(
    probabilities: tuple[float, float] | None, vote: float
) -> None:
    value = Distribution(probabilities, None, "token_probabilities", "scored", 1)
    found = replace(record(0, condition=SCORED), value=value)
    np.testing.assert_array_equal(votes_of(RecordFile(SCORED, (), {found.item: found}), rows(1)), [vote])


def test_an_item_without_a_record_is_no_abstention() -> None:
    silent = replace(record(1), value=replace(record(1).value, verdict=None))  # type: ignore[type-var]
    file = RecordFile(CONDITION, (run(),), {record(0).item: record(0), silent.item: silent})
    np.testing.assert_array_equal(votes_of(file, rows(3)), [0.0, np.nan, np.inf])


def test_scores_are_no_votes() -> None:
    scores = replace(SCORED, labels=("1", "2", "3"))
    with pytest.raises(InputError, match="are no verdicts"):
        votes_of(RecordFile(scores, (), {}), rows(1))
    turned = replace(SCORED, labels=("HALLUCINATED", "SUPPORTED"))
    with pytest.raises(InputError, match="are no verdicts"):
        votes_of(RecordFile(turned, (), {}), rows(1))


def test_a_stamp_is_of_the_files_that_are_there(suite: Path) -> None:
    assert records_digest(suite) == locked_digest(suite)
    rewrite(suite, "sonnet", kept=slice(0, 59))
    with pytest.raises(
        InputError, match=r"changed since it was locked: records/factscore/sonnet\.jsonl\.gz; restore"
    ):
        records_digest(suite)
    before = locked_digest(suite)
    write_lock(suite)
    assert records_digest(suite) != before
