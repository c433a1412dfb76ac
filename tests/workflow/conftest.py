"""A clone of this repository with a toy suite, for planning and running the workflow."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.workflow.planning import FAKE_JUDGE, scramble, toy_clone


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


@pytest.fixture
def panel(toy: Path, root: Path) -> Path:
    """The toy clone with a configuration that judges, in a folder of its own."""
    python = toy / "judge-python"
    python.write_text(FAKE_JUDGE.format(python=sys.executable, root=str(root)))
    python.chmod(0o755)
    config = yaml.safe_load((toy / "config" / "judge.yaml").read_text())
    config["judge"] |= {"python": "./judge-python", "store": "my store", "weights": "my weights"}
    config["judge"]["plans"][0]["benchmarks"] = {"minipairs": {"clusters": 30}}
    config["judge"] |= {"slices": {"qwen2.5-coder-0.5b": 2}, "gpus": {"qwen2.5-coder-0.5b": 2}}
    config["judge"] |= {"devices": [0, 1, "GPU-7"], "threads": 1}
    config["judge"]["sources"] = {"factscore": "../data/facts.jsonl"}
    (toy / "plans").mkdir()
    (toy / "plans" / "mine.yaml").write_text(yaml.safe_dump(config))
    return toy
