"""How a step, table or figure says that a suite lacks what it needs."""

from __future__ import annotations


class Skip(Exception):
    """Raised with the reason, a phrase that completes "skipped because": ``the suite has no frontier judge``."""
