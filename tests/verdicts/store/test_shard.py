"""The shard: what goes in comes out, once, whatever the order, and the same records give the same bytes."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from raim.errors import InputError
from tests.verdicts.making import CONDITION, SCORED, record, run
from verdicts.records.schema import Condition
from verdicts.store import Shard, Store


def fill(shard: Shard, numbers: list[int], name: str = "run", seal: bool = True) -> None:
    """Append records by number as one run."""
    with shard.writer(run(name)) as writer:
        writer.append(record(n, "run", shard.condition) for n in numbers)
    if seal:
        shard.seal()


def sealed_bytes(shard: Shard) -> bytes:
    return (shard.folder / "sealed.jsonl").read_bytes()


@pytest.mark.parametrize("condition", [CONDITION, SCORED])
def test_records_come_back_equal(tmp_path: Path, condition: Condition) -> None:
    shard = Store(tmp_path).shard(condition)
    fill(shard, [5, 3, 8], seal=False)
    expected = {record(n, "run", condition).key: record(n, "run", condition) for n in (5, 3, 8)}
    assert {found.key: found for found in shard.records()} == expected
    assert shard.seal() == (3, 0)
    assert {found.key: found for found in shard.records()} == expected
    assert shard.runs() == [run()]
    assert not list((shard.folder / "open").iterdir())


def test_missing_counts_sealed_and_open_records(tmp_path: Path) -> None:
    shard = Store(tmp_path).shard(CONDITION)
    keys = [record(n).key for n in range(6)]
    assert shard.missing(keys) == [0, 1, 2, 3, 4, 5]
    assert not shard.folder.exists()
    fill(shard, [4, 1])
    fill(shard, [2], "second", seal=False)
    assert shard.missing(keys) == [0, 3, 5]
    assert shard.missing([]) == []
    assert shard.missing([keys[0], keys[0], keys[1]]) == [0, 1]


def test_a_look_up_makes_nothing_in_the_store(tmp_path: Path) -> None:
    shard = Store(tmp_path / "store").shard(CONDITION)
    assert shard.missing([record(1).key]) == [0]
    assert list(shard.records()) == []
    assert shard.runs() == []
    assert shard.seal() == (0, 0)
    assert not (tmp_path / "store").exists()


def test_the_first_record_of_a_key_stays(tmp_path: Path) -> None:
    shard = Store(tmp_path).shard(CONDITION)
    first, second = record(1, "a"), record(1, "b")
    for name, taken in (("a", first), ("b", second)):
        with shard.writer(run(name)) as writer:
            writer.append([taken])
    assert [r.run for r in shard.records()] == ["a"]
    assert shard.seal() == (1, 1)
    with shard.writer(run("c")) as writer:
        writer.append([record(1, "c"), record(2, "c")])
    assert shard.seal() == (1, 1)
    assert sorted(r.run for r in shard.records()) == ["a", "c"]


@settings(derandomize=True, max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    order=st.permutations(range(12)),
    cuts=st.lists(st.integers(0, 12), max_size=4),
    sealing=st.lists(st.booleans(), min_size=6, max_size=6),
)
def test_same_records_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, order: list[int], cuts: list[int], sealing: list[bool]
) -> None:
    """Any order, any split over runs, sealed in between or not."""
    shard = Store(tmp_path_factory.mktemp("store")).shard(CONDITION)
    bounds = [0, *sorted(cuts), 12]
    for number, (start, stop) in enumerate(pairwise(bounds)):
        fill(shard, order[start:stop], f"run-{number}", sealing[number])
    shard.seal()
    reference = Store(tmp_path_factory.mktemp("store")).shard(CONDITION)
    fill(reference, list(range(12)))
    assert sealed_bytes(shard) == sealed_bytes(reference)
    assert shard.missing([record(n).key for n in range(13)]) == [12]


def test_sealing_interleaves_with_a_large_sealed_file(tmp_path: Path) -> None:
    """More lines than one block of reads, new keys before, among and behind the old ones."""
    numbers = list(range(3000))
    random.Random(0).shuffle(numbers)
    shard = Store(tmp_path).shard(CONDITION)
    fill(shard, numbers[:2000])
    fill(shard, numbers[2000:], "second")
    keys = [found.key for found in shard.records()]
    assert keys == sorted(record(n).key for n in range(3000))


def test_an_empty_run_leaves_no_file(tmp_path: Path) -> None:
    shard = Store(tmp_path).shard(CONDITION)
    with shard.writer(run()):
        pass
    assert not list((shard.folder / "open").iterdir())


def test_two_runs_with_one_id(tmp_path: Path) -> None:
    shard = Store(tmp_path).shard(CONDITION)
    with shard.writer(run("same")) as writer:
        writer.append([record(1)])
        with pytest.raises(InputError, match=r"same\.jsonl.*give the run another id"):
            shard.writer(run("same"))
    shard.seal()
    with pytest.raises(InputError, match=r"same\.json.*give the run another id"):
        shard.writer(run("same"))
    assert not list((shard.folder / "open").iterdir())
    assert [r.run for r in shard.runs()] == ["same"]


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "a b"])
def test_run_ids_that_are_no_file_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="run id"):
        Store(tmp_path).shard(CONDITION).writer(run(name))


def test_records_of_another_run_with_one_id_are_not_adopted(tmp_path: Path) -> None:
    """They would stand beside hardware and versions that did not make them."""
    shard = Store(tmp_path).shard(CONDITION)
    with shard.writer(run()) as segment:
        segment.append([record(1)])
    other = replace(run(), hardware="another machine")
    with pytest.raises(InputError, match=r"runs/run\.json: another run has the id 'run' already"):
        shard.adopt([record(2)], [other])
    assert [found.key for found in shard.records()] == [record(1).key]
    # The same run, of which a released file leaves out when it started.
    assert shard.adopt([record(2)], [replace(run(), started="")]) == 1
    assert shard.runs() == [run()]
    # What the store has already is of no concern.
    assert shard.adopt([record(1), record(2)], [other]) == 0


def test_shards_of_a_store(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert list(store.shards()) == []
    for condition in (CONDITION, SCORED):
        fill(store.shard(condition), [1])
    found = {shard.condition.digest: len(list(shard.records())) for shard in store.shards()}
    assert found == {CONDITION.digest: 1, SCORED.digest: 1}


def test_a_file_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "store"
    path.write_text("")
    with pytest.raises(InputError, match="this is a file"):
        Store(path)
