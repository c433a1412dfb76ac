"""Agreement of a suite with its re-run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.panel.suites import load_panel
from analysis.rerun.comparison import compare_suites
from raim.cli import main
from raim.errors import InputError
from tests.synthetic import FRONTIER, PANEL, make_suite, write_votes
from verdicts.records.files import read_record_file, write_record_file
from verdicts.records.index import read_index, write_index
from verdicts.records.schema import Condition, Distribution, Record, Run, Verdict
from verdicts.records.suite import read_suite, write_suite

MEMBER = PANEL[1].name


@pytest.fixture
def suites(tmp_path: Path) -> tuple[Path, Path]:
    return tuple(make_suite(tmp_path / name, (*PANEL, FRONTIER)) for name in ("first", "second"))  # type: ignore[return-value]


def rewrite(suites: tuple[Path, Path], member: str, change: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Replace a member's votes on the re-run's FActScore where ``change`` is not NaN; the votes before and after."""
    suite = suites[1]
    rows = read_index(suite / "index" / "factscore.tsv")
    panel = load_panel(suites[0], "factscore")
    by_uid = dict(zip(panel.votes.uids, panel.votes.votes[:, panel.votes.members.index(member)], strict=True))
    before = np.array([by_uid[row.uid] for row in rows])
    after = np.where(np.isnan(change), before, change)
    write_votes(suite / "records" / "factscore" / f"{member}.jsonl.gz", member, rows, after)
    return before, after


def test_a_suite_agrees_with_itself(suites: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    result = compare_suites(*suites, n_draws=50)
    for entry in result["benchmarks"].values():
        assert all(judge["agreement"] == 1 and not judge["flagged"] for judge in entry["judges"].values())
        assert set(entry["judges"]) == {judge.name for judge in (*PANEL, FRONTIER)}
    assert result["changed_verdicts"] == []
    assert main(["rerun", *map(str, suites)]) == 0
    assert "median agreement, generative: 1.000 over 10 judges" in capsys.readouterr().out


def test_moved_verdicts_are_counted_and_flagged(suites: tuple[Path, Path], tmp_path: Path) -> None:
    change = np.full(60, np.nan)
    change[:10] = 1.0
    before, after = rewrite(suites, MEMBER, change)
    judge = compare_suites(*suites, n_draws=50)["benchmarks"]["factscore"]["judges"][MEMBER]
    assert judge["agreement"] == pytest.approx((before == after).mean())
    assert judge["n_both"] == 60
    assert judge["flagged"]
    assert judge["kappas"][0] != judge["kappas"][1]
    assert main(["rerun", *map(str, suites), "--json", str(tmp_path / "out.json")]) == 1
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["suites"] == ["first", "second"]


def test_the_largest_shift_of_a_probability_is_given(
    suites: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    condition = Condition(
        "distribution", MEMBER, "0" * 40, "def_on/1", None, {}, labels=("SUPPORTED", "HALLUCINATED")
    )
    for suite, shift in zip(suites, (0.0, 0.015), strict=True):
        rows = read_index(suite / "index" / "factscore.tsv")
        records = []
        for number, row in enumerate(rows):
            p = 0.02 + 0.9 * number / len(rows) + (shift if number == 7 else 0.0)
            value = Distribution((1.0 - p, p), 0.1, "token_probabilities", "scored", 9)
            if number == 3:
                value = Distribution(None, None, "token_probabilities", "overflow", 9)
            records.append(Record(condition.key(row.content, "p"), row.content, "p", value, "run"))
        write_record_file(suite / "records" / "factscore" / f"{MEMBER}.jsonl.gz", condition, records, [])
    judges = compare_suites(*suites, n_draws=50)["benchmarks"]["factscore"]["judges"]
    assert judges[MEMBER]["largest_probability_difference"] == pytest.approx(0.015)
    assert judges["sonnet"]["largest_probability_difference"] is None
    assert main(["rerun", *map(str, suites)]) == 0
    (line,) = [
        line
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("factscore") and MEMBER in line
    ]
    assert "0.015" in line


def test_replies_that_are_the_same_to_the_letter_are_counted(suites: tuple[Path, Path]) -> None:
    path = suites[1] / "records" / "factscore" / f"{MEMBER}.jsonl.gz"
    file = read_record_file(path)
    records = list(file.records.values())
    for number in range(15):
        value = records[number].value
        assert isinstance(value, Verdict)
        records[number] = replace(records[number], value=replace(value, reply_sha256=f"{number + 1:064x}"))
    write_record_file(path, file.condition, records, file.runs)
    judges = compare_suites(*suites, n_draws=50)["benchmarks"]["factscore"]["judges"]
    assert judges[MEMBER]["identical_replies"] == 0.75
    assert judges[MEMBER]["agreement"] == judges["sonnet"]["identical_replies"] == 1.0


def test_what_each_run_was_computed_with_is_said(
    suites: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = read_index(suites[0] / "index" / "factscore.tsv")
    for suite, engine, dtype in zip(suites, ("transformers", "vllm"), ("float32", "bfloat16"), strict=True):
        path = suite / "records" / "factscore" / f"{MEMBER}.jsonl.gz"
        file = read_record_file(path)
        condition = replace(file.condition, decoding={**file.condition.decoding, "dtype": dtype})
        made = Run("run", engine, {engine: "1.0", "torch": "2.13"}, "one A40")
        records = [file.records[row.content] for row in rows]
        rekeyed = [replace(r, key=condition.key(r.item, r.prompt), run="run") for r in records]
        write_record_file(path, condition, rekeyed, [made])
    result = compare_suites(*suites, n_draws=50)
    judges = result["benchmarks"]["factscore"]["judges"]
    assert judges[MEMBER]["asked_otherwise"] == ["dtype"]
    assert judges["sonnet"]["asked_otherwise"] == []
    assert "engine vllm; torch 2.13, vllm 1.0; one A40" in result["ran"][1]
    assert "engine vllm; torch 2.13, vllm 1.0; one A40" not in result["ran"][0]
    assert main(["rerun", *map(str, suites)]) == 0
    shown = capsys.readouterr().out
    assert f"factscore, {MEMBER}: asked otherwise in the re-run (dtype)" in shown
    assert "re-run: engine vllm; torch 2.13, vllm 1.0; one A40" in shown
    assert "first: engine transformers; torch 2.13, transformers 1.0; one A40" in shown


def test_what_is_no_rerun_is_refused(suites: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = suites
    rows = read_index(second / "index" / "medhallu.tsv")
    write_index(second / "index" / "medhallu.tsv", [replace(rows[0], gold=1 - rows[0].gold), *rows[1:]])
    with pytest.raises(InputError, match=r"medhallu: item '0:pos' differs in content, gold or cluster"):
        compare_suites(first, second)
    write_index(second / "index" / "medhallu.tsv", rows[2:])
    with pytest.raises(InputError, match="2 items are in one suite only"):
        compare_suites(first, second)
    write_index(second / "index" / "medhallu.tsv", rows)
    suite = read_suite(second)
    framed = {name: replace(entry, frame="claimcheck") for name, entry in suite.benchmarks.items()}
    write_suite(second, replace(suite, benchmarks=framed))
    with pytest.raises(InputError, match="a re-run has one frame"):
        compare_suites(first, second)
    other = make_suite(tmp_path / "other", benchmarks={"wice": 20})
    with pytest.raises(InputError, match="share no benchmark"):
        compare_suites(first, other)


def rename(suite: Path, names: Mapping[str, str]) -> None:
    """Call members of a suite otherwise."""
    described = read_suite(suite)
    members = {names.get(name, name): member for name, member in described.members.items()}
    write_suite(suite, replace(described, members=members))
    for old, new in names.items():
        for path in suite.glob(f"records/*/{old}.jsonl.gz"):
            path.rename(path.with_name(f"{new}.jsonl.gz"))


def test_judges_are_found_again_whatever_they_are_called(suites: tuple[Path, Path]) -> None:
    """Their order by name turns round, and the panel's reading is the same to the last bit."""
    rename(suites[1], {judge.name: f"{9 - number}.x" for number, judge in enumerate((*PANEL, FRONTIER))})
    result = compare_suites(*suites, n_draws=50)
    for entry in result["benchmarks"].values():
        assert [judge["agreement"] for judge in entry["judges"].values()] == [1.0] * 5
        assert entry["not_compared"] == [{}, {}]
    assert result["benchmarks"]["medhallu"]["judges"]["sonnet"]["rerun"] == "5.x"
    assert result["changed_verdicts"] == []


def test_a_name_is_no_judge(suites: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """Another checkpoint under a member's name is another judge, unless the pair is given."""
    described = read_suite(suites[1])
    other = {
        name: replace(member, judge=f"moved/{name}") if name == MEMBER else member
        for name, member in described.members.items()
    }
    write_suite(suites[1], replace(described, members=other))
    result = compare_suites(*suites, n_draws=50)
    assert MEMBER not in result["benchmarks"]["medhallu"]["judges"]
    assert result["benchmarks"]["medhallu"]["not_compared"] == [{MEMBER: "not in the other suite"}] * 2
    assert result["only_in"]["members"] == [
        {MEMBER: f"example/{MEMBER}, generative"},
        {MEMBER: f"moved/{MEMBER}, generative"},
    ]
    assert main(["rerun", *map(str, suites), "--pair", f"{MEMBER}={MEMBER}"]) == 0
    shown = capsys.readouterr().out
    assert "median agreement, generative: 1.000 over 10 judges" in shown
    assert "only" not in shown


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([("nobody", MEMBER)], "nobody is no member of first"),
        ([(MEMBER, "nobody")], "nobody is no member of second"),
        ([(MEMBER, MEMBER), ("sonnet", MEMBER)], f"{MEMBER} is given twice"),
    ],
    ids=["first", "second", "twice"],
)
def test_pairs_of_nobody_are_refused(
    suites: tuple[Path, Path], given: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises(InputError, match=f"--pair: {message}"):
        compare_suites(*suites, n_draws=50, given=given)


def test_suites_without_a_common_judge_are_refused(
    suites: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    described = read_suite(suites[1])
    constrained = {name: replace(m, protocol="constrained") for name, m in described.members.items()}
    write_suite(suites[1], replace(described, members=constrained))
    assert main(["rerun", *map(str, suites)]) == 2
    shown = capsys.readouterr().err
    assert "no judge of first is one of second's by checkpoint and protocol: " in shown
    assert f"{MEMBER} (example/{MEMBER}, generative)" in shown
    assert f"{MEMBER} (example/{MEMBER}, constrained)" in shown
    with pytest.raises(SystemExit):
        main(["rerun", *map(str, suites), "--pair", "sonnet"])
    assert "give two members' names" in capsys.readouterr().err


def test_of_several_of_one_checkpoint_a_common_name_tells(suites: tuple[Path, Path]) -> None:
    for suite in suites:
        described = read_suite(suite)
        same = {name: replace(member, judge="example/one") for name, member in described.members.items()}
        write_suite(suite, replace(described, members=same))
    result = compare_suites(*suites, n_draws=50)
    assert all(name == judge["rerun"] for name, judge in result["benchmarks"]["medhallu"]["judges"].items())
    rename(suites[1], {PANEL[0].name: "a.x", PANEL[1].name: "b.x"})
    with pytest.raises(
        InputError, match=rf"{PANEL[0].name}, {MEMBER} of first and a.x, b.x of second are all"
    ):
        compare_suites(*suites, n_draws=50)
    given = [(PANEL[0].name, "a.x"), (MEMBER, "b.x")]
    result = compare_suites(*suites, n_draws=50, given=given)
    assert result["benchmarks"]["medhallu"]["judges"][MEMBER]["rerun"] == "b.x"


def test_an_item_without_text_is_the_one_of_its_join_key(suites: tuple[Path, Path]) -> None:
    """An import of a benchmark whose text is not at hand knows its items by the release's key alone."""
    rows = read_index(suites[0] / "index" / "medhallu.tsv")
    keys = {row.uid: f"{number:040x}" for number, row in enumerate(rows)}
    write_index(suites[1] / "index" / "medhallu.tsv", [replace(row, join=keys[row.uid]) for row in rows])
    bare = {row.content: f"release/medhallu/{row.uid}" for row in rows}
    imported = [replace(row, content=bare[row.content], join=keys[row.uid]) for row in rows]
    write_index(suites[0] / "index" / "medhallu.tsv", imported)
    for path in suites[0].glob("records/medhallu/*.jsonl.gz"):
        file = read_record_file(path)
        moved = [replace(record, item=bare[item]) for item, record in file.records.items()]
        rekeyed = [replace(r, key=file.condition.key(r.item, r.prompt)) for r in moved]
        write_record_file(path, file.condition, rekeyed, file.runs)
    judges = compare_suites(*suites, n_draws=50)["benchmarks"]["medhallu"]["judges"]
    assert judges["sonnet"]["agreement"] == judges["sonnet"]["identical_replies"] == 1
    write_index(suites[0] / "index" / "medhallu.tsv", [replace(imported[0], join="f" * 40), *imported[1:]])
    with pytest.raises(InputError, match=r"medhallu: item '0:pos' differs"):
        compare_suites(*suites, n_draws=50)
