"""Files that hold something else than what is written here: any of it ends as an InputError that names the file."""

from __future__ import annotations

import copy
import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from tests.verdicts.making import CONDITION, SCORED, record, run
from verdicts.records.files import read_record_file
from verdicts.records.lines import TornLine, decode, encode
from verdicts.records.lock import LOCK_NAME, compare_lock, locked_digest, write_lock
from verdicts.records.plain import made, parse
from verdicts.records.schema import Condition
from verdicts.records.suite import Suite, SuiteBenchmark, SuiteMember, read_suite, write_suite
from verdicts.store import Store
from verdicts.store.shard import read_condition

#: Nesting that the interpreter does not follow.
DEEP = "[" * 100_000 + "]" * 100_000
_DEEP = "@deep@"
ODD: tuple[Any, ...] = (
    None,
    True,
    "",
    -1,
    1.5,
    10**400,
    float("nan"),
    [],
    {},
    [None],
    ["a"],
    "\ud800",
    _DEEP,
)
Path_ = tuple[str | int, ...]


def places(value: Any, at: Path_ = ()) -> Iterator[Path_]:
    yield at
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, entry in entries:
        yield from places(entry, (*at, key))


def changed(value: Any, at: Path_, entry: Any) -> Any:
    if not at:
        return entry
    whole = copy.deepcopy(value)
    inner = whole
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = entry
    return whole


def texts(value: Any) -> Iterator[tuple[Path_, Any, str]]:
    """Every place of a value with everything odd in it, as JSON."""
    for at in places(value):
        for entry in ODD:
            yield at, entry, json.dumps(changed(value, at, entry)).replace(f'"{_DEEP}"', DEEP)


@dataclass(frozen=True)
class Case:
    """A file: its good value, how a text is put there, how it is read, and places that are open to anything."""

    value: Any
    write: Callable[[str], object]
    read: Callable[[], object]
    path: Path
    free: tuple[Path_, ...] = ()


def suite_case(folder: Path) -> Case:
    member = SuiteMember("a", "example/a", "0" * 40, "generative", benchmarks=("toy",), needs_document=True)
    write_suite(
        folder, Suite("s", "S", "measured", {"toy": SuiteBenchmark("T", "core", "f")}, {"a": member}, 0.9)
    )
    path = folder / "suite.json"
    return Case(
        json.loads(path.read_text(encoding="utf-8")), path.write_text, lambda: read_suite(folder), path
    )


def lock_case(folder: Path) -> Case:
    (folder / "index").mkdir()
    (folder / "index" / "toy.tsv").write_text("x\n", encoding="utf-8")
    write_lock(folder)
    path = folder / LOCK_NAME
    return Case(
        json.loads(path.read_text(encoding="utf-8")),
        path.write_text,
        lambda: (compare_lock(folder), locked_digest(folder)),
        path,
    )


def header_case(folder: Path) -> Case:
    path = folder / "a.jsonl.gz"
    header = {"condition": CONDITION.as_json(), "runs": [asdict(run())]}
    return Case(
        header,
        lambda text: path.write_bytes(gzip.compress(text.encode() + b"\n")),
        lambda: read_record_file(path),
        path,
        (("condition", "chat"), ("condition", "decoding"), ("runs", 0, "versions")),
    )


def condition_case(folder: Path) -> Case:
    path = folder / "condition.json"
    return Case(
        SCORED.as_json(), path.write_text, lambda: read_condition(path), path, (("chat",), ("decoding",))
    )


def run_case(folder: Path) -> Case:
    shard = Store(folder).shard(CONDITION)
    with shard.writer(run()) as segment:
        segment.append([record(1)])
    (path,) = (shard.folder / "runs").glob("*.json")
    return Case(
        json.loads(path.read_text(encoding="utf-8")), path.write_text, shard.runs, path, (("versions",),)
    )


CASES = {
    "suite": suite_case,
    "lock": lock_case,
    "header": header_case,
    "condition": condition_case,
    "run": run_case,
}


@pytest.mark.parametrize("name", CASES)
def test_anything_odd_in_a_file_is_an_error_that_names_it(name: str, tmp_path: Path) -> None:
    case = CASES[name](tmp_path)
    case.write(json.dumps(case.value))
    case.read()
    messages = []
    for at, entry, text in texts(case.value):
        case.write(text)
        try:
            case.read()
        except InputError as error:
            messages.append(str(error))
        else:
            assert any(at[: len(open_)] == open_ for open_ in case.free) or passable(case.value, at, entry), (
                at,
                entry,
            )
    assert len(messages) > 10
    assert [message for message in messages if str(case.path) not in message] == []


def passable(value: Any, at: Path_, entry: Any) -> bool:
    """Whether an odd value is of the type of what stood there: what a file says may be wrong without being odd."""
    for key in at:
        value = value[key]
    number = isinstance(value, int | float) and type(entry) in (int, float)
    return entry is None or value is None or number or isinstance(value, type(entry))


def sealed(value: Any) -> bytes:
    """A line with a checksum that holds, whatever it says."""
    body = json.dumps(value, separators=(",", ":")).replace(f'"{_DEEP}"', DEEP).encode()[:-1]
    return body + b',"crc":"%08x"}\n' % zlib.crc32(body)


@pytest.mark.parametrize("condition", [CONDITION, SCORED], ids=["verdict", "distribution"])
def test_a_checksum_makes_no_record(condition: Condition) -> None:
    """A line that somebody sealed by hand holds a record's fields, of a record's types, or is torn."""
    line = encode(record(1, "run", condition), with_reply=True)
    fields = json.loads(line)
    del fields["crc"]
    assert decode(sealed(fields), condition) == record(1, "run", condition)
    for at in places(fields):
        for entry in ODD:
            odd = changed(fields, at, entry)
            if at in {("item",), ("prompt",)} and entry is not _DEEP and entry == entry:
                odd["key"] = condition.key(odd["item"], odd["prompt"])
            try:
                decode(sealed(odd), condition)
            except TornLine:
                continue
            assert passable(fields, at, entry), (at, entry)


def test_names_that_lead_out_of_a_suite_are_refused(tmp_path: Path) -> None:
    member = SuiteMember("a", "example/a", "0" * 40, "generative")
    benchmark = SuiteBenchmark("T", "core", "f")
    for suite in (
        Suite("../s", "S", "measured", {"toy": benchmark}, {"a": member}),
        Suite("s", "S", "measured", {"../toy": benchmark}, {"a": member}),
        Suite("s", "S", "measured", {"toy": benchmark}, {"../../a": member}),
        Suite("s", "S", "measured", {"toy": benchmark}, {".a": member}),
    ):
        write_suite(tmp_path, suite)
        with pytest.raises(InputError, match="names files and is no file's name"):
            read_suite(tmp_path)


def test_a_field_of_a_newer_version_says_upgrade(tmp_path: Path) -> None:
    case = suite_case(tmp_path)
    case.write(json.dumps({**case.value, "weights": 1}))
    with pytest.raises(
        InputError, match=r"suite.json: .*weights.*where a newer version wrote it, upgrade raim"
    ):
        case.read()


@dataclass(frozen=True)
class Plain:
    name: str
    share: float | None = None
    labels: tuple[str, ...] = ()


def test_a_dataclass_of_plain_fields() -> None:
    assert made(Plain, {"name": "a", "share": 1, "labels": ["b"]}) == Plain("a", 1, ("b",))
    for values in (
        {"name": 1},
        {"name": "a", "share": True},
        {"name": "a", "labels": "b"},
        {"name": "a", "labels": ("b",)},
        {"name": "a", "more": 1},
        {},
        [],
    ):
        with pytest.raises(TypeError):
            made(Plain, values)
    with pytest.raises(ValueError, match="share is inf"):
        made(Plain, {"name": "a", "share": float("inf")})
    with pytest.raises(ValueError, match="nested too deeply"):
        parse(DEEP)
