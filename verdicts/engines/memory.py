"""Memory that runs out, as the libraries say it."""

from __future__ import annotations

_SIGNS = ("out of memory", "can't allocate memory", "cannot allocate memory")


def out_of_memory(error: BaseException) -> bool:
    """Whether memory ran out: Python's error, torch's of a device or a CPU, or a worker's, which arrives as text."""
    text = str(error).lower()
    return (
        isinstance(error, MemoryError)
        or type(error).__name__ == "OutOfMemoryError"
        or any(sign in text for sign in _SIGNS)
    )
