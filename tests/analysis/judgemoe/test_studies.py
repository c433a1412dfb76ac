"""All studies on a small suite. Gates are drawn, not trained: what is tested is the way from gates to tables."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from analysis.figures.files import write_figure
from analysis.judgemoe.cell import TEST, VALIDATION
from analysis.judgemoe.figures.figure5 import in_lines
from analysis.judgemoe.gates.forward import gate_predict
from analysis.judgemoe.gates.parameters import Gate, initial_arrays
from analysis.judgemoe.studies import gate_book
from analysis.judgemoe.studies.comparison import power_note
from analysis.judgemoe.studies.derive import derive
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.pairwise import cluster_pairs, pair_accuracy
from analysis.judgemoe.studies.predictions import compact_pool
from analysis.judgemoe.studies.suite import PoolSuite
from analysis.judgemoe.studies.truth import cell_truth
from analysis.judgemoe.suites.registry import INPUTS, derived_values
from analysis.judgemoe.suites.simulated import SimulatedSuite, simulated_suite
from analysis.output import write_json
from analysis.pipeline.build import build
from analysis.pipeline.check import compare_folders
from analysis.pipeline.derived import Derived
from analysis.tables.files import write_table
from raim.errors import InputError
from tests.analysis.judgemoe.random_cells import random_cell

FOLDER = Path(gate_book.__file__).parents[1]


def drawn_gate(cell, training, *, pairs=None, threads=1):
    """A gate with its initial values, rounded as trained ones are."""
    rng = np.random.default_rng(training.seed)
    arrays = initial_arrays(training, len(cell.judges), len(cell.labels), rng)
    rounded = {name: (4 * a).astype(np.float32).astype(float) for name, a in arrays.items()}
    return Gate(cell.judges, tuple(cell.labels.tolist()), training, rounded)


@pytest.fixture(scope="module")
def small():
    """Three original cells and one of each additional dataset, at one range."""
    whole = simulated_suite(max_items=90)
    kept = {f"{name}@1-5" for name in ("tempered", "correlated", "contaminated", "large", "weak", "gaps")}
    chosen = tuple(found for found in whole.truth if found.cell.name in kept)
    pool = replace(
        whole.pool,
        cells=tuple(found.cell for found in chosen),
        protocol=whole.pool.protocol[:5],
        styles=whole.pool.styles[:2],
        followups=whole.pool.followups[:1],
        seeds=(13, 17),
    )
    return SimulatedSuite(pool, chosen)


@pytest.fixture(scope="module")
def made(small, tmp_path_factory):
    """The small suite's gates and derived files."""
    root = tmp_path_factory.mktemp("sim")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gate_book, "train_gate", drawn_gate)
        book = GateBook(root / "gates", train=True)
        values = derive(small.pool, book)
        values["truth"] = {s.cell.name: cell_truth(small.pool, s, book) for s in small.truth}
        book.save()
    (root / "derived").mkdir()
    for name, value in values.items():
        write_json(root / "derived" / f"{name}.json", value)
    return root


def test_derived_values_hold_no_nan_and_name_every_cell(small, made):
    names = {cell.name for cell in small.pool.cells}
    for path in (made / "derived").glob("*.json"):
        json.loads(path.read_text(), parse_constant=pytest.fail)
    comparison = json.loads((made / "derived" / "comparison.json").read_text())
    assert set(comparison["cells"]) == names
    assert comparison["summary"]["original"]["cells"] == 3
    assert comparison["summary"]["all"]["cells"] == 6
    assert set(comparison["summary"]["extended"]) == {"large", "weak", "gaps"}
    for cell in comparison["cells"].values():
        for method in cell["methods"].values():
            score = method["spearman"]
            assert score["n"] == cell["n"]
            assert score["estimate"] is not None or score["reason"]


def test_released_gates_give_the_derived_files_without_torch(small, made, tmp_path):
    book = GateBook(made / "gates")
    (tmp_path / "again").mkdir()
    values = derive(small.pool, book)
    values["truth"] = {s.cell.name: cell_truth(small.pool, s, book) for s in small.truth}
    for name, value in values.items():
        write_json(tmp_path / "again" / f"{name}.json", value)
    found = compare_folders(tmp_path / "again", made / "derived")
    assert found.passed, found.report()
    assert found.floats > 1500


def test_a_missing_gate_is_named(small, tmp_path):
    with pytest.raises(InputError, match="cannot read the trained gates"):
        GateBook(tmp_path).gate(small.pool.cells[0], small.pool.mainline)


def test_every_table_and_figure_is_made_or_skipped_with_a_reason(made):
    for kind, folder, write in (("Table", "tables", write_table), ("Figure", "figures", write_figure)):
        stems = sorted(p.stem for p in (FOLDER / folder).glob(f"{kind.lower()}*.py"))
        modules = {stem: f"analysis.judgemoe.{folder}.{stem}" for stem in stems}
        outputs = build(kind, modules, made / "derived", made / folder, write)
        for output in outputs:
            assert bool(output.files) != bool(output.skipped), output.title
            assert output.source.startswith("JudgeMoE")
        skipped = {o.module.rsplit("table", 1)[-1] for o in outputs if o.skipped}
        if kind == "Table":
            # Words; no large evaluators, no human preference pairs, no parameter counts.
            words = {"05", "06", "07", "08", "24", "25", "31", "40"}
            assert skipped == words | {"38", "44", "45", "46", "48", "49"}
        else:
            assert [o.title for o in outputs if o.skipped] == [
                "Figure 1. Three levels of information retention"
            ]


@pytest.mark.parametrize("name", ["paper"])
def test_tables_of_the_published_numbers(tmp_path, name):
    (tmp_path / "derived").mkdir()
    for step, value in derived_values(name, {}, GateBook(tmp_path)).items():
        write_json(tmp_path / "derived" / f"{step}.json", value)
    stems = sorted(p.stem for p in (FOLDER / "tables").glob("table*.py"))
    modules = {stem: f"analysis.judgemoe.tables.{stem}" for stem in stems}
    outputs = build("Table", modules, tmp_path / "derived", tmp_path / "tables", write_table)
    made = {o.module.rsplit("table", 1)[-1] for o in outputs if o.files}
    assert made == {"02", "10", "11", "26", "27", "30", "32", "33", "47", "49"}
    text = (tmp_path / "tables" / "table02.csv").read_text()
    assert "0.009124755859" in text


def test_modules_read_only_what_they_name(made):
    for folder in ("tables", "figures"):
        for path in (FOLDER / folder).glob("*[0-9].py"):
            module = import_module(f"analysis.judgemoe.{folder}.{path.stem}")
            assert isinstance(module.READS, tuple)
            assert f"{module.NUMBER:02}" in path.stem or path.stem.endswith(str(module.NUMBER))


def test_suites_need_their_inputs(tmp_path):
    with pytest.raises(InputError, match="no JudgeMoE suite"):
        derived_values("nothing", {}, GateBook(tmp_path))
    for name, needed in INPUTS.items():
        if needed:
            with pytest.raises(InputError, match=f"give its {needed[0]}"):
                derived_values(name, {}, GateBook(tmp_path))
            with pytest.raises(InputError, match=r"no (distributions|annotations|suite) at"):
                derived_values(name, dict.fromkeys(needed, tmp_path / "none"), GateBook(tmp_path))


def test_compact_pool_is_the_best_triple_on_validation():
    from itertools import combinations

    from scipy.stats import spearmanr

    from analysis.judgemoe.pools.fixed import fit_pool

    cell = random_cell(200, 5, 4)
    suite = PoolSuite("s", "", "", "", (cell,))
    part = cell.split(VALIDATION)

    def score(judges):
        chosen = part.with_judges(judges)
        return spearmanr(fit_pool(chosen, "uniform", "log").predict(chosen), chosen.targets).statistic

    assert compact_pool(suite) == max(combinations(cell.judges, 3), key=score)
    assert compact_pool(PoolSuite("s", "", "", "", (cell.with_judges(["j0", "j1"]),))) == ("j0", "j1")


def test_pairs_are_within_clusters_and_say_who_is_better():
    cell = random_cell(60, 2, 3, cluster_size=4)
    pairs = cluster_pairs(cell)
    assert np.array_equal(cell.clusters[pairs.first], cell.clusters[pairs.second])
    assert len(pairs.first) == 15 * 6
    assert np.array_equal(np.sign(cell.targets[pairs.first] - cell.targets[pairs.second]), pairs.preferred)
    assert 0.2 < (pairs.preferred == 1).mean() < 0.8
    assert pair_accuracy(cell.targets, pairs) == 1.0
    assert pair_accuracy(-cell.targets, pairs) == 0.0
    assert pair_accuracy(np.zeros(60), pairs) == 0.5
    assert len(cluster_pairs(cell, max_pairs=10).first) == 10


def test_power_note_needs_cells_that_differ():
    assert power_note([0.1])["reason"] == "fewer than two cells"
    assert power_note([0.1, 0.1])["power"] is None
    assert power_note([-0.1, -0.2])["cells"] is None


def test_selection_chooses_by_validation_alone(small, made):
    """Shuffling the test targets changes test scores and nothing that was chosen."""
    from analysis.judgemoe.studies.selection import select_cell

    book = GateBook(made / "gates")
    cell = small.pool.cells[2]
    compact = compact_pool(small.pool)
    before = select_cell(small.pool, cell, book, compact)
    targets = cell.targets.copy()
    test = np.flatnonzero(cell.splits == TEST)
    targets[test] = targets[np.random.default_rng(0).permutation(test)]
    after = select_cell(small.pool, replace(cell, targets=targets), book, compact)
    for key in ("decision", "rule", "leave_one_out", "sparse_pool"):
        kept = (
            {k: v for k, v in before[key].items() if "test" not in k}
            if isinstance(before[key], dict)
            else before[key]
        )
        again = (
            {k: v for k, v in after[key].items() if "test" not in k}
            if isinstance(after[key], dict)
            else after[key]
        )
        assert kept == again
    assert before["families"]["validation"] == after["families"]["validation"]
    assert before["families"]["test"] != after["families"]["test"]


def test_undefined_steps_are_skipped_where_they_are_read(tmp_path):
    write_json(tmp_path / "pairwise.json", {"skipped": "no pairs"})
    from analysis.skip import Skip

    with pytest.raises(Skip, match="no pairs"):
        Derived(tmp_path).read_suite("pairwise")


def test_a_gate_of_the_book_is_the_one_that_was_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(gate_book, "train_gate", drawn_gate)
    cell = random_cell(100, 4, 5)
    suite = PoolSuite("s", "", "", "", (cell,))
    book = GateBook(tmp_path, train=True)
    full = book.gate(cell, suite.mainline)
    part = book.gate(cell, suite.mainline, judges=("j1", "j3"))
    share = book.gate(cell, suite.mainline, fraction=0.2)
    assert (full.judges, part.judges, share.judges) == (cell.judges, ("j1", "j3"), cell.judges)
    book.save()
    again = GateBook(tmp_path)
    for found, judges, fraction in ((full, None, 1.0), (part, ("j1", "j3"), 1.0), (share, None, 0.2)):
        stored = again.gate(cell, suite.mainline, judges=judges, fraction=fraction)
        assert np.array_equal(gate_predict(stored, cell), gate_predict(found, cell))
    with pytest.raises(InputError, match=r"no gate .*f0.7"):
        again.gate(cell, suite.mainline, fraction=0.7)


def test_long_names_of_cells_are_set_in_lines():
    assert in_lines("topicalchat-engagingness@1-10") == "topicalchat-\nengagingness\n@1-10"
    assert in_lines("large@1-5") == "large\n@1-5"


def poor_cell(kind, k, seed):
    """Judges as small real ones may be: flat, at chance, nearly constant, or absent on most items."""
    rng = np.random.default_rng(seed)
    n = 60
    p = rng.dirichlet(np.full(k, 50.0), (n, 4))
    if kind == "flat":
        p[:] = 1 / k
    else:
        p[:, 0] = 1 / k
        p[:, 2] = np.where(rng.random((n, 1)) < 0.97, np.eye(k)[-1], np.eye(k)[0])
    present = np.ones((n, 4), dtype=bool)
    present[:, 3] = rng.random(n) < 0.5
    targets = rng.integers(0, 5, n) / 4
    return random_cell(n, 4, k, dataset=kind, probabilities=p, present=present, targets=targets)


def test_judges_that_know_nothing_leave_scores_undefined_and_everything_made(tmp_path, monkeypatch):
    monkeypatch.setattr(gate_book, "train_gate", drawn_gate)
    cells = tuple(poor_cell(kind, k, k) for kind in ("chance", "flat") for k in (5, 10))
    names = frozenset(cell.name for cell in cells)
    suite = PoolSuite(
        name="poor",
        title="Poor judges",
        label="SIMULATED.",
        records="0" * 64,
        cells=cells,
        ablations=names,
        protocol=cells,
        pairwise=names,
        skipped=dict.fromkeys(("experts", "styles", "diversity", "compute", "truth"), "not here"),
    )
    values = derive(suite, GateBook(tmp_path / "gates", train=True))
    for name, value in values.items():
        write_json(tmp_path / f"{name}.json", value)
    flat = values["comparison"]["cells"]["flat@1-5"]
    assert flat["methods"]["uniform_log"]["spearman"]["estimate"] is None
    assert "constant" in flat["methods"]["uniform_log"]["spearman"]["reason"]
    assert (
        values["comparison"]["cells"]["chance@1-5"]["methods"]["uniform_log"]["spearman"]["estimate"]
        is not None
    )
    for folder, write in (("tables", write_table), ("figures", write_figure)):
        modules = {
            path.stem: f"analysis.judgemoe.{folder}.{path.stem}"
            for path in sorted((FOLDER / folder).glob("[tf]*[0-9].py"))
        }
        outputs = build(folder.capitalize()[:-1], modules, tmp_path, tmp_path / folder, write)
        assert any(output.files for output in outputs)
