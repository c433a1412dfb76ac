"""Where stores are made."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_MEMORY = Path("/dev/shm")


@pytest.fixture
def scratch() -> Iterator[Path]:
    """An empty folder, in memory where there is one: a killed process, unlike a lost disk, needs no real disk."""
    within = _MEMORY if _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(dir=within))
    yield folder
    shutil.rmtree(folder)
