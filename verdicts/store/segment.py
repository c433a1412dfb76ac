"""An open segment: the file one run appends to until it is sealed."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from raim.errors import InputError
from verdicts.records.lines import TornLine, check, encode, key_of
from verdicts.records.schema import Record


class Segment:
    """Append records of one run; after each batch they are on disk.

    The file is created exclusively (two runs cannot share an id) and held under an exclusive lock, by which others
    see that its writer lives. A batch that cannot be written whole (full disk) is taken back.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle = self._create()
        # A sealer may have taken the still empty file between its making and its locking, and removed it.
        while os.fstat(self._handle).st_nlink == 0:
            os.close(self._handle)
            self._handle = self._create()
        self._size = 0

    def _create(self) -> int:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        except FileExistsError as error:
            raise InputError(
                f"{self.path}: another run has this id already; give the run another id, or seal the store first"
            ) from error
        except OSError as error:
            raise InputError(f"{self.path}: cannot write to the store ({error.strerror}); {_remedy(error)}") from error
        fcntl.flock(handle, fcntl.LOCK_EX)
        return handle

    def append(self, records: Iterable[Record]) -> None:
        """Write a batch and wait until it is on disk. Raises InputError, the batch taken back, if it cannot be."""
        data = b"".join(encode(record, with_reply=True) for record in records)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self._handle, view) :]
            os.fsync(self._handle)
        except OSError as error:
            os.ftruncate(self._handle, self._size)
            raise InputError(
                f"{self.path}: cannot write to the store ({error.strerror}); {_remedy(error)}; "
                f"what was written before is safe, and the next run takes up from there"
            ) from error
        self._size += len(data)

    def close(self) -> None:
        """Release the file; an empty one is removed."""
        if self._size == 0:
            self.path.unlink(missing_ok=True)
        os.close(self._handle)

    def __enter__(self) -> Segment:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


def _remedy(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free some disk space"
    return "make the folder writable, or choose another store"


def whole_lines(path: Path) -> list[bytes]:
    """The finished lines of a segment whose writer may have been killed.

    A torn tail is what a killed writer leaves: it is passed over, and its items are judged again. A bad line that is
    followed by good ones is no such tail: InputError.
    """
    lines = path.read_bytes().splitlines(keepends=True)
    good: list[bytes] = []
    torn: str | None = None
    for number, line in enumerate(lines, start=1):
        try:
            check(line)
            key_of(line)
        except TornLine as error:
            torn = f"{path}, line {number}: {error}"
            continue
        if torn is not None:
            raise InputError(
                f"{torn}, in the middle of the file; it was altered after it was written: restore it, or delete that "
                f"line, and run again (its item is then judged again)"
            )
        good.append(line)
    return good


@contextmanager
def finished(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """Those segments whose writer is gone, held so that nobody else takes them meanwhile."""
    handles: list[int] = []
    taken: list[Path] = []
    try:
        for path in paths:
            handles.append(os.open(path, os.O_RDONLY))
            try:
                fcntl.flock(handles[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            taken.append(path)
        yield taken
    finally:
        for handle in handles:
            os.close(handle)
