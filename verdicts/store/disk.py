"""What the store needs of a file system: durable renames, locks, and errors that say what to do."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from raim.errors import InputError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS)


def write_error(path: Path, error: OSError, kept: str = "") -> InputError:
    """The error for a store that cannot be written: names the file, the cause, the remedy, and what is safe."""
    remedy = (
        "free some disk space"
        if error.errno in _FULL
        else "make the folder writable, or choose another store"
    )
    return InputError(f"{path}: cannot write to the store ({error.strerror}); {remedy}{kept and f'; {kept}'}")


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines of a file with their numbers, from 1; none where there is no file.

    Raises InputError where it cannot be read.
    """
    try:
        with open(path, "rb", buffering=1 << 20) as handle:
            yield from enumerate(handle, start=1)
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); make it readable") from error


def durable(folder: Path) -> None:
    """Wait until the folder's entries (a rename, a new file) are on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def lock(handle: int, path: Path, *, wait: bool) -> bool:
    """Lock an open file for this process alone; False where another holds it and ``wait`` is off.

    Raises InputError on file systems without locks.
    """
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in _NO_LOCKS:
            raise InputError(
                f"{path}: this file system has no file locks ({error.strerror}), which keep writers apart; put "
                f"the store on a local disk, or on a network file system with locking"
            ) from error
        raise write_error(path, error) from error
    return True


def write_atomically(path: Path, text: str) -> None:
    """Write a small file so that a reader, or a run after a crash, sees the old one or the new one.

    Raises InputError where the store cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        with open(temporary, "w", encoding="utf-8") as out:
            out.write(text + "\n")
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
        durable(path.parent)
    except OSError as error:
        raise write_error(path, error) from error
