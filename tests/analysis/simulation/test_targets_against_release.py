"""The committed targets and published values are the release's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.simulation.distance import read_published
from analysis.simulation.targets import read_targets
from tests.analysis.simulation.transcribe import (
    PUBLISHED,
    TARGETS,
    as_text,
    published,
    read_reference,
    targets,
)


def test_the_files_are_transcribed_from_the_release(shared_spec: Path, root: Path) -> None:
    reference = read_reference(shared_spec)
    assert (root / TARGETS).read_text(encoding="utf-8") == as_text(targets(reference))
    assert (root / PUBLISHED).read_text(encoding="utf-8") == as_text(published(reference))


def test_sizes_are_those_of_table_18() -> None:
    sizes = {
        name: (sum(b.class_sizes), sum(count for _, _, count in b.clusters), b.class_sizes)
        for name, b in read_targets().benchmarks.items()
    }
    assert sizes == {
        "medhallu": (2000, 1000, (1000, 1000)),
        "wice": (222, 221, (111, 111)),
        "ragtruth": (1362, 681, (681, 681)),
        "xsum": (546, 472, (273, 273)),
        "cnn": (114, 109, (57, 57)),
        "expertqa": (1462, 1360, (731, 731)),
        "factscore": (330, 165, (165, 165)),
        "truthfulqa": (1634, 817, (817, 817)),
    }


def test_abstentions_are_those_of_the_release() -> None:
    """Sums of appendix K's audit: 1,640 of 76,700 votes."""
    loaded = read_targets()
    missing = {
        name: sum(sum(b.class_sizes) - b.scores[m].committed for m in loaded.members)
        for name, b in loaded.benchmarks.items()
    }
    assert missing == {
        "medhallu": 567,
        "wice": 179,
        "ragtruth": 123,
        "xsum": 53,
        "cnn": 5,
        "expertqa": 651,
        "factscore": 19,
        "truthfulqa": 43,
    }


@pytest.mark.parametrize("name", list(read_targets().benchmarks))
def test_phi_is_a_symmetric_matrix_with_the_published_mean(name: str) -> None:
    phi = read_targets().benchmarks[name].phi
    assert (phi == phi.T).all()
    assert (phi.diagonal() == 1).all()
    mean = phi[np.triu_indices(10, 1)].mean()
    assert mean == pytest.approx(read_published()[name]["phi_bar"], abs=1e-12)
