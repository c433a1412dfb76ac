"""How a step, table or figure says that a suite lacks what it needs."""

from __future__ import annotations


class Skip(Exception):  # noqa: N818 - not an error: the summary of the build prints the reason
    """Raised with the reason, a phrase that completes "skipped because": ``the suite has no frontier judge``."""
