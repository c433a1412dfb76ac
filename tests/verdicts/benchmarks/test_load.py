"""Sources on their way to items: what is checked before any model is loaded, and what a reader is told."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from raim.errors import InputError
from verdicts.benchmarks.compare import compare, index_rows
from verdicts.benchmarks.items import Item
from verdicts.benchmarks.load import build_items, load_items
from verdicts.benchmarks.spec import Benchmark
from verdicts.records.index import IndexRow, write_index

Write = Callable[..., Path]
Rows = list[dict[str, str]]


def test_a_complete_source_gives_the_items(toy: Benchmark, write: Write, rows: Rows) -> None:
    items = load_items(toy, write(rows))
    assert [item.uid for item in items] == ["0:pos", "0:neg", "1:pos", "1:neg", "2:pos", "2:neg"]


def test_an_incomplete_source_says_what_differs(toy: Benchmark, write: Write, rows: Rows) -> None:
    path = write(rows[:2])
    assert build_items(toy, path).differences == (
        "2 rows upstream instead of 3",
        "4 items instead of 6",
        "2 clusters instead of 3",
        "2 supported items instead of 3",
        "2 hallucinated items instead of 3",
    )
    with pytest.raises(
        InputError,
        match=r"toy: .*toy\.jsonl is not the source.*2 rows upstream instead of 3.*raim verify toy",
    ):
        load_items(toy, path)


def test_without_published_counts_any_size_is_right(toy: Benchmark, write: Write, rows: Rows) -> None:
    assert len(load_items(replace(toy, expected=None), write(rows[:1]))) == 2


def test_a_changed_text_is_found_through_the_index(
    toy: Benchmark, write: Write, tmp_path: Path, rows: Rows
) -> None:
    index = tmp_path / "toy.tsv"
    write_index(index, index_rows(load_items(toy, write(rows))))
    changed = write([*rows[:2], rows[2] | {"bad": "Wrong, and changed."}])
    with pytest.raises(InputError, match=r"2:neg: content is [0-9a-f]{12}, the index has [0-9a-f]{12}"):
        load_items(toy, changed, index)


def test_a_file_known_by_its_digest(toy: Benchmark, write: Write, rows: Rows) -> None:
    path = write(rows)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    known = replace(toy, source=replace(toy.source, sha256=digest))
    assert len(load_items(known, path)) == 6
    path.write_text(path.read_text() + "\n")
    with pytest.raises(InputError, match=f"the benchmark's file has {digest}"):
        load_items(known, path)


def test_wrong_columns_are_named(toy: Benchmark, write: Write) -> None:
    with pytest.raises(InputError, match=r"toy\.jsonl, row 0: lacks the columns 'bad'"):
        load_items(toy, write([{"q": "Q", "good": "G"}]))


def test_a_builders_complaint_names_the_file(toy: Benchmark, write: Write, rows: Rows) -> None:
    with pytest.raises(InputError, match=r"toy\.jsonl: its rows do not have the shape that toy needs"):
        load_items(replace(toy, pool=lambda rows: {"x": rows[0]["nested"]["missing"]}), write(rows))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([{"q": "Q", "good": "G", "bad": "B"}] * 2, "items 0:pos, 1:pos have the same content"),
        ([{"q": "Q", "good": "same", "bad": "same"}], "items 0:pos, 0:neg have the same content"),
    ],
)
def test_items_are_distinct(toy: Benchmark, write: Write, source: Rows, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build_items(toy, write(source))


def test_no_items_at_all(toy: Benchmark, write: Write, rows: Rows) -> None:
    with pytest.raises(InputError, match="no item could be built"):
        build_items(replace(toy, build=lambda rows: []), write(rows))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"good": None}, "item 0:pos: holds NoneType where a text is wanted"),
        ({"good": "half \ud83d"}, "item 0:pos: a text holds half a character"),
    ],
    ids=["none", "surrogate"],
)
def test_items_that_no_judge_could_read_are_refused(
    toy: Benchmark, write: Write, rows: Rows, change: dict[str, Any], message: str
) -> None:
    """A builder need not check what every item has to be."""
    rows[0].update(change)
    with pytest.raises(
        InputError, match=rf"toy\.jsonl: its rows do not have the shape that toy needs .*{message}"
    ):
        load_items(toy, write(rows))


@pytest.mark.parametrize("error", [ValueError, AttributeError, KeyError, TypeError], ids=lambda e: e.__name__)
def test_a_builder_that_stumbles_names_the_file(
    toy: Benchmark, write: Write, rows: Rows, error: type[Exception]
) -> None:
    def build(rows: Any) -> list[Item]:
        raise error("a row")

    with pytest.raises(InputError, match=r"toy\.jsonl: its rows do not have the shape"):
        load_items(replace(toy, build=build), write(rows))


def test_a_file_that_comes_with_the_benchmark(toy: Benchmark, write: Write, rows: Rows) -> None:
    own = replace(toy, source=replace(toy.source, file=write(rows)))
    assert load_items(own) == load_items(toy, write(rows, "other.jsonl"))


def test_without_hub_or_file_the_page_is_named(toy: Benchmark) -> None:
    with pytest.raises(InputError, match=r"toy: not on the hub.*https://example\.org/toy"):
        load_items(toy)


# The hub, through a stand-in for its client


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., Any]], None]:
    def install(load_dataset: Callable[..., Any]) -> None:
        module = ModuleType("datasets")
        module.load_dataset = load_dataset  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "datasets", module)

    return install


def raising(error: Exception) -> Callable[..., Any]:
    def load_dataset(*args: Any, **options: Any) -> Any:
        raise error

    return load_dataset


def test_the_hub_is_asked_for_the_pinned_revision(pinned: Benchmark, client: Any, rows: Rows) -> None:
    asked: list[Any] = []

    def load_dataset(*args: Any, **options: Any) -> Any:
        asked.append((args, options))
        return iter(rows)

    client(load_dataset)
    assert len(load_items(pinned)) == 6
    assert asked == [(("someone/toy", "plain"), {"split": "test", "revision": "0123abc"})]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            ValueError("Dataset 'someone/toy' is a gated dataset on the Hub."),
            r"gated: ask for access at https://example\.org/toy, then set HF_TOKEN",
        ),
        (
            ValueError("Dataset 'someone/toy' doesn't exist on the Hub or cannot be accessed."),
            r"gated: ask for access at https://example\.org/toy, then set HF_TOKEN",
        ),
        (ConnectionError("Couldn't reach 'someone/toy' on the Hub"), "the hub cannot be reached"),
        (
            ValueError("Revision '0123abc' doesn't exist for dataset 'someone/toy' on the Hub."),
            r"someone/toy \(plain, test\) at revision 0123abc cannot be loaded: Revision '0123abc' doesn't exist",
        ),
        (ValueError('Unknown split "test".'), r'cannot be loaded: Unknown split "test"'),
    ],
)
def test_what_the_hub_refuses_comes_with_a_remedy(
    pinned: Benchmark, client: Any, error: Exception, message: str
) -> None:
    client(raising(error))
    with pytest.raises(InputError, match=message):
        load_items(pinned)


def test_a_source_that_was_open_when_it_was_written_may_be_gated_by_now(
    pinned: Benchmark, client: Any
) -> None:
    opened = replace(pinned, source=replace(pinned.source, gated=False))
    client(raising(ValueError("Dataset 'someone/toy' is a gated dataset on the Hub.")))
    with pytest.raises(
        InputError, match=r"gated: ask for access at https://example\.org/toy, then set HF_TOKEN"
    ):
        load_items(opened)


def test_rows_that_fail_as_they_are_read_come_with_a_remedy(
    pinned: Benchmark, client: Any, rows: Rows
) -> None:
    def load_dataset(*args: Any, **options: Any) -> Any:
        yield rows[0]
        raise OSError("Not a parquet file")

    client(load_dataset)
    with pytest.raises(InputError, match=r"someone/toy .* cannot be loaded: Not a parquet file"):
        load_items(pinned)


def test_without_the_client_the_package_is_named(pinned: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(InputError, match="pip install datasets"):
        load_items(pinned)


# The hub's own client


def test_the_real_client_reads_a_folder(
    toy: Benchmark, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rows: Rows
) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    folder = tmp_path / "hub"
    folder.mkdir()
    write(rows).rename(folder / "train.jsonl")
    local = replace(toy, source=replace(toy.source, hub=str(folder), split="train", revision="main"))
    assert len(load_items(local)) == 6
    absent = replace(toy, source=replace(local.source, split="test"))
    with pytest.raises(InputError, match=r"cannot be loaded: Unknown split"):
        load_items(absent)


def test_the_real_client_offline(pinned: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("datasets")
    hub = pytest.importorskip("huggingface_hub")
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match="the hub cannot be reached"):
        load_items(pinned)


# The comparison with an index


def test_compare_names_missing_changed_and_extra_items(toy: Benchmark, write: Write, rows: Rows) -> None:
    items = load_items(toy, write(rows))
    index = index_rows(items)
    assert compare(items, index) == []
    changed = [
        replace(index[0], gold=1, cluster="9"),
        replace(index[1], content="0" * 64, join="1" * 40),
        *index[2:5],
    ]
    changed.append(IndexRow("7:pos", "7", 0, "2" * 64, ""))
    assert [(m.uid, m.kind) for m in compare(items, changed)] == [
        ("7:pos", "missing"), ("0:pos", "cluster"), ("0:pos", "gold"), ("0:neg", "content"), ("0:neg", "join"),
        ("2:neg", "extra"),
    ]  # fmt: skip


def test_an_index_without_a_hash_is_compared_on_the_others(toy: Benchmark, write: Write, rows: Rows) -> None:
    items = load_items(toy, write(rows))
    assert compare(items, [replace(row, content="") for row in index_rows(items)]) == []
    assert compare(items, [replace(row, join="") for row in index_rows(items)]) == []
