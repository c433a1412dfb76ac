"""The keys of a sealed file beside it, so that a look-up reads 64 bytes a record and parses nothing.

A cache: it can be deleted at any time. Its first 64 bytes tie it to one sealed file (size and modification time) and
to its own content (count and checksum); where they do not hold, it is not used.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from raim.errors import InputError

Keys = npt.NDArray[np.bytes_]
KEY = np.dtype("S64")
_NO_KEYS: Keys = np.empty(0, dtype=KEY)


@dataclass(frozen=True)
class _Stamp:
    """What a sidecar says of its sealed file (bytes, nanoseconds) and of its own keys."""

    size: int
    modified: int
    count: int
    checksum: int

    def encode(self) -> bytes:
        return b"%d-%d-%d-%08x" % (self.size, self.modified, self.count, self.checksum)


def path_of(sealed: Path) -> Path:
    """The sidecar of a sealed file."""
    return sealed.with_name(f"{sealed.name}.keys")


def read(sealed: Path) -> Keys | None:
    """Sorted keys (n,) where the sidecar is of this very file, else None; no keys where there is no sealed file.

    Raises InputError where the sealed file is shorter than when the sidecar was written: records were lost.
    """
    while True:
        before = _identity(sealed)
        stamp, keys = _load(path_of(sealed))
        if before != _identity(sealed):
            continue  # Another process sealed meanwhile: what was read may be of either file.
        size, modified = before[1:] if before else (0, 0)
        if stamp is not None and stamp.size > size:
            raise InputError(
                f"{sealed}: has {size} bytes and had {stamp.size} when it was sealed; records were lost: restore it "
                f"from a backup, or delete {path_of(sealed).name} and run again (what is missing is then judged again)"
            )
        if before is None:
            return _NO_KEYS
        return keys if stamp is not None and (stamp.size, stamp.modified) == (size, modified) else None


def write(sealed: Path, keys: Keys) -> None:
    """Write the sidecar of the sealed file as it stands, under the shard's lock. A disk that is full is no error."""
    identity = _identity(sealed)
    if identity is None:
        return
    target = path_of(sealed)
    temporary = target.with_name(f".{target.name}.tmp")
    stamp = _Stamp(identity[1], identity[2], len(keys), zlib.crc32(keys.view(np.uint8).data))
    try:
        np.concatenate([np.array([stamp.encode()], dtype=KEY), keys]).tofile(temporary)
        os.replace(temporary, target)
    except OSError:
        # Look-ups are slower without it and right all the same.
        with suppress(OSError):
            temporary.unlink()


def contains(known: Keys, wanted: Keys) -> npt.NDArray[np.bool_]:
    """Which of the wanted keys (m,) are among the known ones (n,), which are sorted."""
    found = np.zeros(wanted.shape, dtype=bool)
    if known.size:
        # Searching in order walks through memory once; in the given order it is five times slower.
        order = np.argsort(wanted)
        at = np.minimum(np.searchsorted(known, wanted[order]), known.size - 1)
        found[order] = known[at] == wanted[order]
    return found


def _identity(path: Path) -> tuple[int, int, int] | None:
    """Inode, size and modification time of a file; None where there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _load(path: Path) -> tuple[_Stamp | None, Keys]:
    """Stamp and keys of a sidecar; (None, none) where it is missing, damaged or of an earlier layout."""
    try:
        content = memoryview(path.read_bytes())
        size, modified, count, checksum = bytes(content[: KEY.itemsize]).rstrip(b"\0").split(b"-")
        stamp = _Stamp(int(size), int(modified), int(count), int(checksum, 16))
    except (OSError, ValueError):
        return None, _NO_KEYS
    keys = content[KEY.itemsize :]
    if len(keys) != stamp.count * KEY.itemsize or zlib.crc32(keys) != stamp.checksum:
        return None, _NO_KEYS
    return stamp, np.frombuffer(keys, dtype=KEY)
