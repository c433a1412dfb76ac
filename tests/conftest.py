"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def _shared(variable: str, folder: str) -> Path:
    path = Path(os.environ.get(variable, ROOT.parent / "shared" / folder))
    if not path.is_dir():
        pytest.skip(f"needs the publishers' data in {path} (set {variable}); it is not part of the project")
    return path


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Publishers' data, which the project does not redistribute."""
    return _shared("RAIM_SHARED_DATA", "data")


@pytest.fixture(scope="session")
def shared_spec() -> Path:
    """Reference values of the published release."""
    return _shared("RAIM_SHARED_SPEC", "spec")
