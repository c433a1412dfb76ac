"""A clone of this repository with a toy suite, for planning the workflow without running it."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.workflow.planning import scramble
from tests.workflow.toy_suite import write_toy_suite


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
    """A copy of the clone with a suite ``toy`` and a configuration ``toy.yaml`` for it."""
    folder = tmp_path / "raim"
    shutil.copytree(clone, folder)
    write_toy_suite(folder / "suites" / "toy")
    overview = folder / "derived" / "toy" / "overview.json"
    overview.parent.mkdir(parents=True)
    overview.write_text("{}\n", encoding="utf-8")
    (folder / "toy.yaml").write_text("suites: [toy]\ncheck: [toy]\n", encoding="utf-8")
    scramble(folder, random.Random(1))
    return folder
