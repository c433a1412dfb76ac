"""The table of docs/simulation.md is the committed derived file's."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
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


def test_the_documented_frame_contrast_is_the_derived_one(root: Path) -> None:
    values = json.loads((root / "derived" / "sim" / "simulated_distance.json").read_text(encoding="utf-8"))
    text = " ".join((root / "docs" / "simulation.md").read_text(encoding="utf-8").split())
    framed = {name: one for name, one in values["benchmarks"].items() if "frames" in one}
    gains = {
        name: "{published:.3f} / {simulated:.3f}".format(**one["frames"]["panel_gain"]["balanced_accuracy"])
        for name, one in framed.items()
    }
    order = [name for name in read_targets().benchmarks if name in gains]
    assert ", ".join(f"{read_targets().benchmarks[name].title} {gains[name]}" for name in order) in text
    summary = values["summary"]["frames"]
    assert f"comes within {summary['panel_gain']['largest']:.3f}" in text
    edge, wice = summary["mean_edge"], framed["wice"]["frames"]["edge"]
    assert (
        f"{edge['simulated']:.3f} above its CV-best arm on average, published {edge['published']:.3f} "
        f"(WiCE {wice['simulated']:.3f}, published {wice['published']:.3f})" in text
    )
    spread = summary["gain_width_in_kappa"]
    assert (
        f"({spread['smallest']:.2f} to {spread['largest']:.2f} of the published, mean {spread['mean']:.2f})"
        in text
    )
    for name, one in framed.items():
        widths = np.array(list(one["fit"]["frames"]["gain_width"].values()))
        assert np.abs(widths - 1).max() < (0.125 if name == "cnn" else 0.05)
    assert values["summary"]["trained"]["largest"] < 0.004
