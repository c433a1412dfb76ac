"""A clone of this repository with a toy suite, for planning and running the workflow."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.workflow.planning import scramble, toy_clone


@pytest.fixture(scope="session")
def clone(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh clone of the last commit in a folder with a space in its name, all files' times scrambled."""
    if shutil.which("git") is None or not (root / ".git").exists():
        pytest.skip("needs git and a checkout to clone")
    folder = tmp_path_factory.mktemp("a clone") / "raim"
    subprocess.run(["git", "clone", "--quiet", str(root), str(folder)], check=True)
    scramble(folder, random.Random(0))
    return folder


@pytest.fixture
def toy(clone: Path, tmp_path: Path) -> Path:
    """A copy of the clone with the toy suite, to be changed."""
    return toy_clone(clone, tmp_path / "raim")
