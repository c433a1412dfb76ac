"""From a download to numbers: the simulated panel, written as the release would be, gives the simulated suite's.

The committed numbers of that suite are the answer, and must be met to the last bit.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.panel.suites import load_panel
from analysis.pipeline.build import build
from analysis.pipeline.derive import derive_benchmark, derive_suite
from analysis.pipeline.derived import ORIGIN
from analysis.steps.order import order_steps
from analysis.tables.files import write_table
from raim.cli import main
from tests.verdicts.release.trees import of_suite, tree_of
from verdicts.records.index import read_index
from verdicts.release.importing import import_release

#: What the simulated suite has of a release: all but the probe.
KEPT = ("experiment", "judge_")
#: Steps of a benchmark that read nothing of the others.
STEPS = (
    *("abstention", "construction", "frame_contrast", "frontier", "judges"),
    *("leave_one_out", "panel_size", "regime"),
)


def imported(root: Path, folder: Path, names: Sequence[str]) -> Path:
    """The simulated suite's records of some benchmarks as a release, imported."""
    suite = root / "suites" / "sim"
    items = {name: read_index(suite / "index" / f"{name}.tsv") for name in names}
    release = tree_of(items, of_suite(suite))
    for kept in (release.rows, release.summaries):
        for name in [name for name in kept if not name.rpartition("/")[2].startswith(KEPT)]:
            del kept[name]
    download = release.write(folder / "download", packed=True)
    import_release(download, folder / "paper", index=suite / "index")
    return folder / "paper"


def values(path: Path) -> dict[str, Any]:
    """A derived file's values, without the suite that it is of."""
    return {key: value for key, value in json.loads(path.read_text()).items() if key != ORIGIN}


def test_a_benchmarks_numbers_are_those_of_its_votes(root: Path, tmp_path: Path) -> None:
    suite = imported(root, tmp_path, ["cnn"])
    ours, theirs = load_panel(suite, "cnn"), load_panel(root / "suites" / "sim", "cnn")
    assert (ours.votes.members, ours.votes.uids) == (theirs.votes.members, theirs.votes.uids)
    np.testing.assert_array_equal(ours.votes.votes, theirs.votes.votes)
    assert set(ours.comparators) == set(theirs.comparators)
    for path in derive_benchmark(STEPS, suite, tmp_path / "derived", "cnn"):
        committed = root / "derived" / "sim" / "cnn" / path.name
        assert values(path) == values(committed), path.name


@pytest.mark.validity
def test_every_number_of_the_simulated_suite_comes_back(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    committed, derived = root / "derived" / "sim", tmp_path / "derived"
    names = sorted(path.name for path in committed.iterdir() if path.is_dir())
    suite, passes = imported(root, tmp_path, names), order_steps()
    made = list(derive_suite(passes.before, suite, derived, names))
    for name in names:
        made += derive_benchmark(passes.benchmarks, suite, derived, name)
    made += derive_suite(passes.alongside, suite, derived, names)
    made += derive_suite(passes.after, suite, derived, names)
    for path in made:
        name = path.relative_to(derived)
        # The suites' descriptions differ, and what compares a simulation with its targets has nothing to compare.
        if name.name not in ("overview.json", "simulated_distance.json"):
            assert values(path) == values(committed / name), name

    modules = {
        path.stem: f"analysis.tables.{path.stem}" for path in (root / "analysis/tables").glob("table*.py")
    }
    outputs = build("Table", modules, derived, tmp_path / "tables", write_table)
    assert {output.title for output in outputs if output.files} >= {
        f"Table {n}. {import_module(f'analysis.tables.table{n:02d}').NAME}" for n in (1, 5, 15, 22)
    }
    counts = []
    for folder in (derived, committed):
        main(["check", "paper", "--published", "--regenerated", str(folder)])
        printed = capsys.readouterr().out
        counts.append([line.split() for line in printed.splitlines() if line.startswith(("Table", "in all"))])
    assert counts[0] == counts[1]
