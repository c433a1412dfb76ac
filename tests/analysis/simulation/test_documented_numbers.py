"""The table of docs/simulation.md is the committed derived file's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.simulation.distance import METHODS
from analysis.simulation.targets import read_targets


def test_the_documented_kappas_are_the_derived_ones(root: Path) -> None:
    file = root / "derived" / "sim" / "simulated_distance.json"
    if not file.is_file():
        pytest.skip("derived/sim is not committed yet: accept it with `raim accept sim`")
    values = json.loads(file.read_text(encoding="utf-8"))
    page = (root / "docs" / "simulation.md").read_text(encoding="utf-8").splitlines()
    for name, benchmark in read_targets().benchmarks.items():
        (row,) = [line for line in page if line.startswith(f"| {benchmark.title} | 0.") and " / " in line]
        cells = [cell.strip() for cell in row.strip("|").split("|")[1:]]
        pairs = [values["benchmarks"][name]["kappa"][method] for method in METHODS]
        assert cells == [f"{pair['published']:.3f} / {pair['simulated']:.3f}" for pair in pairs]
    summary = values["summary"]
    text = " ".join(" ".join(page).split())
    assert (
        f"Of {summary['readings']['of']} readings of paired differences {summary['readings']['same']} agree"
        in text
    )
    assert summary["calls"] == {"same": 8, "of": 8}
    (row,) = [line for line in page if line.startswith("| mean absolute distance |")]
    assert [c.strip() for c in row.strip("|").split("|")[1:]] == [
        f"{summary['kappa'][method]['mean_absolute']:.3f}" for method in METHODS
    ]
