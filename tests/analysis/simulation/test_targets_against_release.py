"""The committed targets and published values are the release's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from analysis.simulation.distance import read_published
from analysis.simulation.targets import read_targets
from tests.analysis.simulation.transcribe import as_text, files, read_reference


def test_the_files_are_transcribed_from_the_release(shared_spec: Path, root: Path) -> None:
    for file, value in files(read_reference(shared_spec)).items():
        assert (root / file).read_text(encoding="utf-8") == as_text(value)


def test_majorities_and_gains_are_table_11s(root: Path) -> None:
    """The transcribed counts and triples print as the paper does."""
    (block,) = yaml.safe_load((root / "analysis/publication/printed/table11.yaml").read_text())["blocks"]
    for name, printed in block["values"].items():
        benchmark, frames = read_targets().benchmarks[name], read_published()[name]["frames"]
        assert benchmark.second_frame is not None
        recalls = np.array(benchmark.second_frame.panel_right) / benchmark.class_sizes
        competent = sum(benchmark.second_frame.scores[m].kappa >= 0.30 for m in read_targets().members)
        low, high = (f"{100 * end:+.1f}" for end in frames["panel_gain"]["balanced_accuracy"][1:])
        assert [
            f"{100 * recalls.mean():.1f}",
            f"{100 * frames['panel']['own']:.1f}",
            f"{100 * frames['panel_gain']['balanced_accuracy'][0]:+.1f} [{low}, {high}]",
            str(competent),
            str(sum(benchmark.scores[m].kappa >= 0.30 for m in read_targets().members)),
            f"{frames['frontier']['def_on']:.3f}",
            f"{frames['frontier']['own']:.3f}",
        ] == printed


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
