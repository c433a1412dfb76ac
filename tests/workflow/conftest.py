"""A clone of this repository with a toy suite, for planning and running the workflow."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.synthetic import PANEL, Judge, make_suite
from tests.workflow.planning import scramble


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
    """A copy of the clone with a small suite ``toy``, and a committed derived tier that says nothing.

    One of the suite's members is asked about one of its benchmarks only.
    """
    folder = tmp_path / "raim"
    shutil.copytree(clone, folder)
    make_suite(folder / "suites" / "toy", [*PANEL, Judge("half", 0.6, only=("factscore",))])
    committed = folder / "derived" / "toy" / "overview.json"
    committed.parent.mkdir(parents=True)
    committed.write_text("{}\n", encoding="utf-8")
    (folder / "toy.yaml").write_text("suites: [toy]\ncheck: [toy]\n", encoding="utf-8")
    scramble(folder, random.Random(1))
    return folder
