"""Canonical JSON and digests: the one way in which anything here is hashed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(value: Any) -> str:
    """JSON with sorted keys, compact separators and unescaped Unicode: equal values give equal text.

    Raises ValueError for NaN and infinities, which JSON cannot carry.
    """
    return _ENCODER.encode(value)


def sha256_text(text: str) -> str:
    """Hex sha256 of a text in UTF-8 (lone surrogates, which a broken reply may hold, are kept apart)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def digest(value: Any) -> str:
    """Hex sha256 of the canonical JSON of a value."""
    return sha256_text(canonical(value))


def sha256_file(path: Path) -> str:
    """Hex sha256 of a file's bytes."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()
