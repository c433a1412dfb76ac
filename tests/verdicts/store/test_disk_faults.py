"""A full disk, a read-only store, a file system without locks: a clear end, nothing sealed lost."""

from __future__ import annotations

import builtins
import errno
import os
import resource
from pathlib import Path
from typing import Any

import pytest

from raim.errors import InputError
from tests.verdicts.making import CONDITION, record, run
from tests.verdicts.store.faults import at_call, in_child
from verdicts.store import Shard, Store
from verdicts.store import disk as disk_module

KEYS = [record(n).key for n in range(8)]


def use(root: Path, name: str, batches: int = 2) -> Shard:
    """Append two batches and seal."""
    shard = Store(root).shard(CONDITION)
    first = 4 if name != "first" else 0
    with shard.writer(run(name)) as writer:
        for batch in range(batches):
            writer.append(record(n, name) for n in range(first + 2 * batch, first + 2 * batch + 2))
    shard.seal()
    return shard


def raise_(code: int) -> None:
    raise OSError(code, os.strerror(code))


@pytest.mark.parametrize(
    ("code", "remedy"), [(errno.ENOSPC, "free some disk space"), (errno.EROFS, "writable")]
)
def test_an_error_at_every_disk_operation(scratch: Path, code: int, remedy: str) -> None:
    with at_call(0, lambda: None) as done:
        use(scratch / "first", "first")
        use(scratch / "first", "second")
    messages = []
    for number in range(1, len(done) + 1):
        root = scratch / f"store-{number}"
        made = set()
        try:
            with at_call(number, lambda: raise_(code)):
                use(root, "first")
                made = set(KEYS[:4])
                use(root, "second")
        except InputError as error:
            messages.append(str(error))
            if str(root) not in messages[-1] or remedy not in messages[-1]:
                raise
        shard = Store(root).shard(CONDITION)
        assert made <= {found.key for found in shard.records()}
        # With room again, the next runs take up from there.
        for n, key in enumerate(KEYS):
            if shard.missing([key]):
                with shard.writer(run(f"again-{n}")) as writer:
                    writer.append([record(n, f"again-{n}")])
        shard.seal()
        assert sorted(found.key for found in shard.records()) == sorted(KEYS)
        assert not list((shard.folder / "open").iterdir())
        assert not [path for path in shard.folder.glob(".*") if path.name.startswith(".sealed.jsonl.tmp")]
    # Some calls may fail without harm: the key file, an empty segment's removal.
    assert len(messages) > 0.7 * len(done)


def test_a_batch_that_does_not_fit_is_taken_back(tmp_path: Path) -> None:
    """A real limit of the kernel's, in a process of its own: the second batch is cut by it."""

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500))
        shard = Store(tmp_path).shard(CONDITION)
        with shard.writer(run()) as writer:
            writer.append([record(0)])
            with pytest.raises(
                InputError, match=r"run\.jsonl.*free some disk space; what was written before is safe"
            ):
                writer.append(record(n) for n in range(1, 8))

    assert in_child(work) == 0
    shard = Store(tmp_path).shard(CONDITION)
    assert [found.key for found in shard.records()] == KEYS[:1]
    assert (next((shard.folder / "open").iterdir())).read_bytes().endswith(b"\n")
    assert shard.seal() == (1, 0)


def test_sealing_that_does_not_fit_leaves_the_sealed_file(tmp_path: Path) -> None:
    shard = use(tmp_path, "first")
    before = (shard.folder / "sealed.jsonl").read_bytes()
    with shard.writer(run("second")) as writer:
        writer.append(record(n) for n in range(4, 8))

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, len(before) + 100))
        with pytest.raises(InputError, match=r"sealed\.jsonl.*free some disk space; nothing is lost"):
            shard.seal()

    assert in_child(work) == 0
    assert (shard.folder / "sealed.jsonl").read_bytes() == before
    assert shard.missing(KEYS) == []
    assert shard.seal() == (4, 0)


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only file system, also for root, whom permissions do not stop."""
    really = os.open

    def os_open(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise_(errno.EROFS)
        return really(path, flags, *args, **kwargs)

    def open_(path: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        return builtins.open(path, mode, *args, **kwargs) if "r" in mode else raise_(errno.EROFS)

    monkeypatch.setattr(os, "open", os_open)
    monkeypatch.setattr(disk_module, "open", open_, raising=False)


def test_a_read_only_store_is_read(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    use(tmp_path, "first")
    request.getfixturevalue("read_only")
    shard = Store(tmp_path).shard(CONDITION)
    assert shard.missing(KEYS) == [4, 5, 6, 7]
    assert len(list(shard.records())) == 4
    assert shard.seal() == (0, 0)
    (shard.folder / "sealed.jsonl.keys").unlink()
    assert shard.missing(KEYS) == [4, 5, 6, 7]


def test_a_read_only_store_is_not_written(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    shard = use(tmp_path, "first")
    with shard.writer(run("second")) as writer:
        writer.append([record(5)])
    request.getfixturevalue("read_only")
    with pytest.raises(
        InputError, match=r"third\.jsonl: cannot write to the store \(Read-only.*make the folder writable"
    ):
        shard.writer(run("third"))
    with pytest.raises(InputError, match=r"lock: cannot write.*what was judged is safe"):
        shard.seal()
    with pytest.raises(InputError, match=r"condition\.json: cannot write to the store \(Read-only"):
        Store(tmp_path / "new").shard(CONDITION).writer(run())
    assert len(list(shard.records())) == 5


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcntl.flock", lambda handle, how: raise_(errno.ENOLCK))
    with pytest.raises(InputError, match="has no file locks"):
        Store(tmp_path).shard(CONDITION).writer(run())
