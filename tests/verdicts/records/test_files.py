"""Released files: the projection, its bytes, its index, its description and its lock."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from raim.errors import InputError
from tests.verdicts.making import CONDITION, SCORED, record, run
from verdicts.records.canonical import sha256_text
from verdicts.records.files import read_record_file, write_record_file
from verdicts.records.index import IndexRow, read_index, write_index
from verdicts.records.lock import LOCK_NAME, compare_lock, describe, locked_digest, release_digest, write_lock
from verdicts.records.schema import Condition, Verdict
from verdicts.records.suite import Suite, SuiteBenchmark, SuiteMember, read_suite, write_suite


@pytest.mark.parametrize("condition", [CONDITION, SCORED])
def test_a_released_file_is_read_back(tmp_path: Path, condition: Condition) -> None:
    path = tmp_path / "records" / "toy" / "small.jsonl.gz"
    records = [record(n, "run", condition) for n in range(5)]
    write_record_file(path, condition, records, [run(), run("unused")])
    found = read_record_file(path)
    assert found.condition == condition
    assert [r.run for r in found.runs] == ["run"]
    assert set(found.records) == {r.item for r in records}
    for original in records:
        got = found.records[original.item]
        assert (got.key, got.prompt, got.run) == (original.key, original.prompt, original.run)
        if isinstance(original.value, Verdict):
            assert got.value == replace(original.value, reply=None)
        else:
            assert got.value == original.value


def test_no_reply_is_released(tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl.gz"
    write_record_file(path, CONDITION, [record(1)], [run()])
    text = gzip.decompress(path.read_bytes()).decode()
    assert "quoted" not in text
    assert '"reply"' not in text
    value = record(1).value
    assert isinstance(value, Verdict)
    assert value.reply is not None
    assert sha256_text(value.reply) in text


def test_same_records_same_bytes(tmp_path: Path) -> None:
    """Whatever their order, the time, the name of the file and when the run started."""
    first, second = tmp_path / "a" / "x.jsonl.gz", tmp_path / "b" / "y.jsonl.gz"
    records = [record(n) for n in range(6)]
    write_record_file(first, CONDITION, records, [run()])
    later = [replace(r, time="2030-01-01T00:00:00+00:00") for r in reversed(records)]
    write_record_file(second, CONDITION, later, [replace(run(), started="2030-01-01T00:00:00+00:00")])
    assert first.read_bytes() == second.read_bytes()


def rewritten(path: Path, change: Callable[[list[bytes]], list[bytes]]) -> None:
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join(change(lines))))


DAMAGE: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "a changed verdict": (
        lambda lines: [lines[0], lines[1].replace(b'"verdict":', b'"verdict": ')],
        "line 2: .*checksum",
    ),
    "a cut line": (lambda lines: [*lines[:2], lines[2][:-3]], "line 3: is cut off"),
    "a record twice": (lambda lines: [*lines, lines[1]], "line 5: a second record of item"),
    "no header": (lambda lines: lines[1:], "not a record file"),
    "an empty file": (lambda lines: [], "not a record file"),
    "a header without runs": (
        lambda lines: [json.dumps({"condition": CONDITION.as_json()}).encode() + b"\n", *lines[1:]],
        "its header holds no condition",
    ),
    "a newer schema": (
        lambda lines: [lines[0].replace(b'"schema":1', b'"schema":2'), *lines[1:]],
        "written in record schema 2.*upgrade raim",
    ),
    "another condition": (
        lambda lines: [lines[0].replace(b'"frame":"def_on/1"', b'"frame":"def_on/2"'), *lines[1:]],
        "line 2: has a key that is not its request's",
    ),
}


@pytest.mark.parametrize("how", DAMAGE)
def test_damaged_files_are_named(tmp_path: Path, how: str) -> None:
    path = tmp_path / "small.jsonl.gz"
    write_record_file(path, CONDITION, [record(n) for n in range(3)], [run()])
    change, message = DAMAGE[how]
    rewritten(path, change)
    with pytest.raises(InputError, match=rf"small\.jsonl\.gz(?s:.)*{message}"):
        read_record_file(path)


@pytest.mark.parametrize(
    "content",
    [None, b"", b"plain text", gzip.compress(b"x" * 500)[:-9]],
    ids=["missing", "empty", "plain text", "cut short"],
)
def test_files_that_are_no_gzip(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "small.jsonl.gz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=r"small\.jsonl\.gz: (cannot read|not a record file).*restore it"):
        read_record_file(path)


ROWS = [IndexRow("0:pos", "0", 0, "a" * 64, "b" * 40), IndexRow("0:neg", "0", 1, "c" * 64, "")]


def test_an_index_is_read_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "index" / "toy.tsv"
    write_index(path, ROWS)
    assert read_index(path) == ROWS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot read the item index"),
        ("", "not an item index"),
        ("uid\tgold\n", "not an item index"),
        ("uid\tcluster\tgold\tcontent\tjoin\n0\t0\t2\ta\tb\n", "line 2: needs 5 fields with gold 0 or 1"),
        ("uid\tcluster\tgold\tcontent\tjoin\n0\t0\t1\ta\n", "line 2: needs 5 fields"),
        ("uid\tcluster\tgold\tcontent\tjoin\n0\t0\t1\ta\tb\n0\t1\t1\tc\td\n", "a uid occurs twice"),
    ],
)
def test_indexes_that_are_none(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "toy.tsv"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=rf"toy\.tsv.*{message}"):
        read_index(path)


SUITE = Suite(
    suite="toy",
    title="Toys",
    label="measured",
    benchmarks={
        "b": SuiteBenchmark("B", "grounded", "def_on"),
        "a": SuiteBenchmark("A", "grounded", "claimcheck"),
    },
    members={name: SuiteMember(name, "j", "r", "generative") for name in ("z", "y")},
)


def test_a_description_keeps_its_order(tmp_path: Path) -> None:
    write_suite(tmp_path, SUITE)
    found = read_suite(tmp_path)
    assert found == SUITE
    assert list(found.benchmarks) == ["b", "a"]
    assert list(found.members) == ["z", "y"]


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"suite": "x"}', "\xff"])
def test_descriptions_that_are_none(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "suite.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"suite\.json: cannot read.*restore or export it again"):
        read_suite(tmp_path)


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    write_suite(tmp_path, SUITE)
    write_index(tmp_path / "index" / "toy.tsv", ROWS)
    write_record_file(tmp_path / "records" / "toy" / "small.jsonl.gz", CONDITION, [record(1)], [run()])
    write_lock(tmp_path)
    return tmp_path


def test_a_locked_suite_is_as_it_was(locked: Path) -> None:
    difference = compare_lock(locked)
    assert (difference.missing, difference.changed, difference.untracked) == ((), (), ())
    entries = describe(locked)
    assert list(entries) == ["index/toy.tsv", "records/toy/small.jsonl.gz", "suite.json"]
    assert entries["records/toy/small.jsonl.gz"].lines == 2
    assert locked_digest(locked) == release_digest(entries)


def test_the_release_digest_is_the_published_rule() -> None:
    """sha256 over path, space, sha256, newline of the paths in sorted order."""
    from verdicts.records.lock import Entry

    entries = {"b": Entry("2" * 64, 1, 1), "a": Entry("1" * 64, 1, 1)}
    assert release_digest(entries) == sha256_text(f"a {'1' * 64}\nb {'2' * 64}\n")


def test_another_compression_is_no_change(locked: Path) -> None:
    path = locked / "records" / "toy" / "small.jsonl.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), compresslevel=1, mtime=1))
    assert compare_lock(locked).changed == ()


def test_missing_changed_and_untracked_files_are_named(locked: Path) -> None:
    (locked / "index" / "toy.tsv").unlink()
    (locked / "suite.json").write_text("{}")
    (locked / "records" / "toy" / "stray.jsonl.gz").write_bytes(gzip.compress(b""))
    (locked / ".hidden").write_text("")
    difference = compare_lock(locked)
    assert difference.missing == ("index/toy.tsv",)
    assert difference.changed == ("suite.json",)
    assert difference.untracked == ("records/toy/stray.jsonl.gz",)


@pytest.mark.parametrize("text", [None, "", "{}", '{"release_digest": "x"}'])
def test_locks_that_are_none(locked: Path, text: str | None) -> None:
    (locked / LOCK_NAME).unlink()
    if text is not None:
        (locked / LOCK_NAME).write_text(text)
    with pytest.raises(InputError, match=r"LOCK\.json: cannot read the suite's lock"):
        compare_lock(locked)


def test_a_cut_file_in_a_suite_is_named(locked: Path) -> None:
    path = locked / "records" / "toy" / "small.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-5])
    difference = compare_lock(locked)
    assert (difference.changed, difference.found) == (("records/toy/small.jsonl.gz",), None)
    with pytest.raises(InputError, match=r"small\.jsonl\.gz: not a whole gzip file"):
        write_lock(locked)
