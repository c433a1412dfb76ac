"""A small release in both shapes, written once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.verdicts.release.trees import Tree, tree_of
from verdicts.benchmarks.compare import shipped_index
from verdicts.records.index import IndexRow, read_index


def items(name: str) -> list[IndexRow]:
    """The shipped index of a benchmark."""
    path = shipped_index(name)
    assert path is not None
    return read_index(path)


@pytest.fixture(scope="session")
def release() -> Tree:
    """A claim set and an ungrounded set, with every file that the release has of them."""
    return tree_of({"cnn": items("cnn"), "factscore": items("factscore")})


@pytest.fixture(scope="session")
def runs(release: Tree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked runs."""
    return release.write(tmp_path_factory.mktemp("runs"), packed=False, with_index=True)


@pytest.fixture(scope="session")
def votes(release: Tree, runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The votes-only tree of the same release."""
    digest = json.loads((runs / "verdicts.lock.json").read_text())["release_digest"]
    folder = tmp_path_factory.mktemp("votes")
    return release.write(folder, packed=True, with_index=True, source=digest)
