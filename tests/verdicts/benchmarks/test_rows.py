"""Reading local files: every kind, and every way in which one can be wrong."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from raim.errors import InputError
from verdicts.benchmarks.rows import read_rows, require_columns, text, texts


def test_csv_keeps_newlines_and_drops_the_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes('\ufeffa,b\r\n"one\ntwo","say ""hi"""\r\n'.encode())
    assert read_rows(path) == [{"a": "one\ntwo", "b": 'say "hi"'}]


def test_csv_with_a_long_document(tmp_path: Path) -> None:
    """Longer than the module's own limit, which stays what it is for others."""
    path, limit = tmp_path / "x.csv", csv.field_size_limit()
    path.write_text("doc,claim\n" + "d" * (limit + 1) + ",c\n", encoding="utf-8")
    (row,) = read_rows(path)
    assert len(row["doc"]) == limit + 1
    assert csv.field_size_limit() == limit


def test_jsonl_is_split_at_newlines_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a":"one\u2028two\x85three"}\n\n{"a":"four"}', encoding="utf-8")
    assert read_rows(path) == [{"a": "one\u2028two\x85three"}, {"a": "four"}]


def test_gzipped_jsonl(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a":1}\n'))
    assert read_rows(path) == [{"a": 1}]


def test_json_is_a_list_of_rows_or_holds_one(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"a": 1}]', encoding="utf-8")
    (tmp_path / "b.json").write_text('{"dataset": "x", "instances": [{"a": 2}]}', encoding="utf-8")
    assert read_rows(tmp_path / "a.json") == [{"a": 1}]
    assert read_rows(tmp_path / "b.json") == [{"a": 2}]
    for name, content in (("c.json", "{"), ("d.json", '{"rows": []}'), ("e.json", "[1]")):
        (tmp_path / name).write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match=name):
            read_rows(tmp_path / name)


def test_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"a": "x", "b": ["y", "z"], "c": {"d": 1}}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "a.parquet")
    assert read_rows(tmp_path / "a.parquet") == rows


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b'{"a": 1}\n{"a": \n', "line 2: not JSON"),
        ("a.jsonl", b"[1, 2]\n", "line 1: not a JSON object"),
        ("a.jsonl", b'{"a": "\xff"}\n', "cannot read the source file"),
        ("a.csv", b"a,b\n1,2\n1,2,3\n", "line 3: not as many fields"),
        ("a.csv", b"a,b\n1\n", "line 2: not as many fields"),
        ("a.csv", b'a,b\n"1"x,2\n', "cannot read the source file"),
        ("a.jsonl.gz", b"not gzip", "cannot read the source file"),
        ("a.parquet", b"not parquet", "not a Parquet file"),
        ("a.xlsx", b"", "unknown kind of file"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message) as raised:
        read_rows(tmp_path / name)
    assert name in str(raised.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the source file"):
        read_rows(tmp_path / "none.csv")


def test_missing_columns_are_named_with_those_that_are_there() -> None:
    with pytest.raises(InputError, match=r"row 1: lacks the columns 'b' \(it has 'a', 'c'\)"):
        require_columns([{"a": 1, "b": 2}, {"a": 1, "c": 2}], ("a", "b"))
    with pytest.raises(InputError, match="holds no rows"):
        require_columns([], ("a",))


def test_typed_columns() -> None:
    assert text({"a": "x"}, "a", 0) == "x"
    assert texts({"a": ["x"]}, "a", 0) == ["x"]
    with pytest.raises(InputError, match="row 4: column 'a' holds NoneType"):
        text({"a": None}, "a", 4)
    with pytest.raises(InputError, match="row 4: column 'a' holds str"):
        texts({"a": "x"}, "a", 4)
