"""Make the n-th thing that is done to the disk go wrong."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

#: Everything by which the store changes the disk, but for numpy's and Python's buffered writing.
_CALLS = ("write", "fsync", "replace", "unlink", "ftruncate", "mkdir")


@contextmanager
def at_call(number: int, fault: Callable[[], object]) -> Iterator[list[str]]:
    """Call ``fault`` in place of the n-th disk operation; of a write, after half of its bytes.

    Yields the names of the operations so far.
    """
    done: list[str] = []

    def patched(name: str) -> Callable[..., Any]:
        original = getattr(os, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            done.append(name)
            if len(done) != number:
                return original(*args, **kwargs)
            if name == "write":
                original(args[0], args[1][: len(args[1]) // 2])
            fault()
            return original(*args, **kwargs) if name != "write" else len(args[1]) // 2

        return call

    with mock.patch.multiple(os, **{name: patched(name) for name in _CALLS}):
        yield done


def in_child(work: Callable[[], object]) -> int:
    """Run in a forked process; its exit status, minus the signal that killed it, or 1 where it raised."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
