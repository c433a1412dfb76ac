"""An open segment: the file one run appends to until it is sealed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType

import numpy as np
import numpy.typing as npt

from raim.errors import InputError
from verdicts.records.lines import TornLine, check, encode, key_of
from verdicts.records.schema import Record
from verdicts.store.disk import lock, numbered_lines, write_error
from verdicts.store.sidecar import KEY, Keys


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
            raise write_error(self.path, error) from error
        lock(handle, self.path, wait=True)
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
            # Where not even this works, the tail is torn, and passed over like a killed writer's.
            with suppress(OSError):
                os.ftruncate(self._handle, self._size)
            kept = "what was written before is safe, and the next run takes up from there"
            raise write_error(self.path, error, kept) from error
        self._size += len(data)

    def close(self) -> None:
        """Release the file; an empty one is removed."""
        if self._size == 0:
            with suppress(OSError):
                self.path.unlink()
        os.close(self._handle)

    def __enter__(self) -> Segment:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.close()


def whole_lines(path: Path) -> Iterator[bytes]:
    """The finished lines of a segment, whose writer may be at work or dead; none where it has been sealed meanwhile.

    A torn tail is what a killed writer leaves: it is passed over, and its items are judged again. A bad line that is
    followed by good ones is no such tail: InputError.
    """
    torn: str | None = None
    for number, line in numbered_lines(path):
        try:
            check(line)
            key_of(line)
        except TornLine as error:
            torn = torn or f"{path}, line {number}: {error}"
            continue
        if torn is not None:
            raise InputError(
                f"{torn}, in the middle of the file; it was altered after it was written: restore it, or delete "
                f"that line, and run again (its item is then judged again)"
            )
        yield line


@dataclass(frozen=True)
class OpenSegment:
    """A finished segment held by its sealer: where its lines are, not what they say."""

    path: Path
    handle: int

    @cached_property
    def _lines(self) -> tuple[Keys, npt.NDArray[np.int64]]:
        """Keys (n,) of the whole lines, and the offsets (n + 1,) at which each begins and the last one ends."""
        keys = bytearray()
        offsets = [0]
        for line in whole_lines(self.path):
            keys += key_of(line)
            offsets.append(offsets[-1] + len(line))
        return np.frombuffer(keys, dtype=KEY), np.array(offsets, dtype=np.int64)

    @property
    def keys(self) -> Keys:
        """Keys (n,) of its whole lines, in the order in which they were written."""
        return self._lines[0]

    def line(self, number: int) -> bytes:
        """One whole line."""
        start, end = self._lines[1][number : number + 2].tolist()
        return os.pread(self.handle, end - start, start)


@contextmanager
def finished(paths: Iterable[Path]) -> Iterator[list[OpenSegment]]:
    """Those segments whose writer is gone, held so that nobody else takes them meanwhile."""
    held: list[OpenSegment] = []
    try:
        for path in paths:
            try:
                # Network file systems lock only what is open for writing.
                handle = os.open(path, os.O_RDWR)
            except FileNotFoundError:
                continue  # An empty one that its writer removed.
            except OSError as error:
                raise write_error(path, error) from error
            if lock(handle, path, wait=False) and os.fstat(handle).st_nlink:
                held.append(OpenSegment(path, handle))
            else:
                os.close(handle)
        yield held
    finally:
        for segment in held:
            os.close(segment.handle)
