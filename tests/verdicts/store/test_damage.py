"""Damaged files, other conditions and newer schemas: an error that names the file and the remedy, nothing lost."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from raim.errors import InputError
from tests.verdicts.making import CONDITION, record, run
from tests.verdicts.store.test_shard import fill
from verdicts.store import Shard, Store
from verdicts.store.sidecar import KEY

KEYS = [record(n).key for n in range(12)]


@pytest.fixture
def shard(tmp_path: Path) -> Shard:
    """Ten sealed records."""
    made = Store(tmp_path).shard(CONDITION)
    fill(made, list(range(10)))
    return made


def sealed(shard: Shard) -> Path:
    return shard.folder / "sealed.jsonl"


def keys_file(shard: Shard) -> Path:
    return shard.folder / "sealed.jsonl.keys"


def cut(shard: Shard, size: int) -> None:
    data = sealed(shard).read_bytes()
    sealed(shard).write_bytes(data[:size])


USES: dict[str, Callable[[Shard], object]] = {
    "missing": lambda shard: shard.missing(KEYS),
    "records": lambda shard: list(shard.records()),
    "seal": lambda shard: fill(shard, [11], "later"),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("whole_lines", [True, False])
def test_a_truncated_sealed_file(shard: Shard, use: str, whole_lines: bool) -> None:
    lines = sealed(shard).read_bytes().splitlines(keepends=True)
    cut(shard, sum(map(len, lines[:4])) + (0 if whole_lines else 30))
    with pytest.raises(InputError, match=r"sealed\.jsonl: has .*records were lost: restore it from a backup"):
        USES[use](shard)


@pytest.mark.parametrize("use", USES)
def test_a_lost_sealed_file(shard: Shard, use: str) -> None:
    sealed(shard).unlink()
    with pytest.raises(InputError, match=r"sealed\.jsonl: has 0 bytes"):
        USES[use](shard)


@pytest.mark.parametrize("use", USES)
def test_a_line_that_was_altered(shard: Shard, use: str) -> None:
    data = sealed(shard).read_bytes()
    altered = data.replace(b'"verdict":1', b'"verdict":0', 1)
    assert altered != data
    sealed(shard).write_bytes(altered)
    os.utime(sealed(shard), ns=(1, 1))
    with pytest.raises(InputError, match=r"sealed\.jsonl, line \d+: does not match its checksum.*restore it"):
        USES[use](shard)


def test_the_loss_can_be_accepted(shard: Shard) -> None:
    """The remedy in the message works: without the line and the key file, that item is judged again."""
    lines = sealed(shard).read_bytes().splitlines(keepends=True)
    lost = lines.pop(3)
    sealed(shard).write_bytes(b"".join(lines))
    keys_file(shard).unlink()
    absent = shard.missing(KEYS[:10])
    assert [KEYS[n] for n in absent] == [json.loads(lost)["key"]]
    fill(shard, absent, "again")
    assert shard.missing(KEYS[:10]) == []
    assert len(list(shard.records())) == 10


def test_lines_out_of_order(shard: Shard) -> None:
    lines = sealed(shard).read_bytes().splitlines(keepends=True)
    sealed(shard).write_bytes(b"".join([*lines[:2], lines[3], lines[2], *lines[4:]]))
    os.utime(sealed(shard), ns=(1, 1))
    with pytest.raises(InputError, match=r"sealed\.jsonl, line 4: its key is not greater"):
        shard.missing(KEYS)


def corrupt(data: bytes, how: str) -> bytes:
    return {
        "cut in a key": data[:-10],
        "cut between keys": data[: -KEY.itemsize],
        "empty": b"",
        "header only": data[: KEY.itemsize],
        "a flipped digit": data[:-1] + (b"0" if data[-1:] != b"0" else b"1"),
        "of zeros": bytes(len(data)),
        "of an earlier layout": b"-".join(data[:64].rstrip(b"\0").split(b"-")[:2]).ljust(64, b"\0")
        + data[64:],
        "foreign": os.urandom(300),
    }[how]


@pytest.mark.parametrize(
    "how",
    [
        "cut in a key",
        "cut between keys",
        "empty",
        "header only",
        "a flipped digit",
        "of zeros",
        "of an earlier layout",
        "foreign",
    ],
)
def test_a_corrupt_key_file_is_not_believed(shard: Shard, how: str) -> None:
    path = keys_file(shard)
    path.write_bytes(corrupt(path.read_bytes(), how))
    assert shard.missing(KEYS) == [10, 11]
    fill(shard, [3, 10], "later")
    assert len(list(shard.records())) == 11
    # Sealing wrote a right one.
    assert np.fromfile(path, dtype=KEY)[1:].tolist() == sorted(key.encode() for key in KEYS[:11])


def test_a_stale_key_file_is_not_believed(shard: Shard) -> None:
    old = keys_file(shard).read_bytes()
    fill(shard, [10], "later")
    keys_file(shard).write_bytes(old)
    assert shard.missing(KEYS) == [11]
    fill(shard, [10], "again")
    assert len(list(shard.records())) == 11


def segment(shard: Shard, name: str, numbers: list[int]) -> Path:
    fill(shard, numbers, name, seal=False)
    return shard.folder / "open" / f"{name}.jsonl"


def test_a_torn_tail_is_passed_over(shard: Shard) -> None:
    path = segment(shard, "killed", [10, 11])
    path.write_bytes(path.read_bytes()[:-7])
    assert shard.missing(KEYS) == [11]
    assert len(list(shard.records())) == 11
    assert shard.seal() == (1, 0)
    assert shard.missing(KEYS) == [11]


@pytest.mark.parametrize("use", ["missing", "records", "seal"])
def test_a_bad_line_in_the_middle_of_a_segment(shard: Shard, use: str) -> None:
    path = segment(shard, "hurt", [10, 11])
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"finish":"stop"', b'"finish":"Stop"', 1))
    with pytest.raises(InputError, match=r"hurt\.jsonl, line 1: .*in the middle of the file.*restore it"):
        USES[use](shard)
    # Nothing was sealed of it, nor taken away.
    assert path.exists()
    path.write_bytes(data)
    assert shard.missing(KEYS) == []


def test_another_condition_in_the_folder(shard: Shard) -> None:
    other = replace(CONDITION, revision="1" * 40)
    (shard.folder / "condition.json").write_text(json.dumps(other.as_json()))
    with pytest.raises(InputError, match=r"condition\.json: holds records of another condition"):
        Store(shard.folder.parent).shard(CONDITION)


@pytest.mark.parametrize("which", ["shard", "shards"])
def test_a_newer_schema(shard: Shard, which: str) -> None:
    path = shard.folder / "condition.json"
    path.write_text(json.dumps({**CONDITION.as_json(), "schema": 2, "something": "new"}))
    store = Store(shard.folder.parent)
    with pytest.raises(InputError, match=r"condition\.json: written in record schema 2.*upgrade raim"):
        store.shard(CONDITION) if which == "shard" else list(store.shards())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 1}', '{"schema": "x"}'])
def test_a_condition_that_cannot_be_read(shard: Shard, text: str) -> None:
    (shard.folder / "condition.json").write_text(text)
    with pytest.raises(InputError, match=r"condition\.json: cannot read.*restore it"):
        list(Store(shard.folder.parent).shards())


def test_a_record_of_another_condition_among_the_records(shard: Shard) -> None:
    other = Store(shard.folder.parent).shard(replace(CONDITION, revision="1" * 40))
    with other.writer(run("stray")) as writer:
        writer.append([record(11, "stray", other.condition)])
    (other.folder / "open" / "stray.jsonl").rename(shard.folder / "open" / "stray.jsonl")
    with pytest.raises(InputError, match="has a key that is not its request's"):
        list(shard.records())


def test_a_run_file_that_cannot_be_read(shard: Shard) -> None:
    path = shard.folder / "runs" / "run.json"
    path.write_text("{")
    with pytest.raises(InputError, match=r"run\.json: cannot read.*restore it"):
        shard.runs()
