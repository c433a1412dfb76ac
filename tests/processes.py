"""Processes of a test's own, forked so that they need no module to be imported."""

from __future__ import annotations

import os
from collections.abc import Callable


def forked(work: Callable[[], object]) -> int:
    """The id of a child that does the work and ends: with 0, or with 1 where the work raised."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    return child
