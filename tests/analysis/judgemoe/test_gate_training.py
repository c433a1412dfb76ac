"""Training gates: needs torch, which the analysis environment does not have."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from analysis.judgemoe.gates.forward import gate_predict, gate_weights
from analysis.judgemoe.gates.parameters import Gate, Training, initial_arrays
from analysis.judgemoe.gates.train import Pairs, _Scorer, train_gate
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.suites.registry import write_derived
from analysis.pipeline.check import compare_folders
from raim.errors import InputError
from tests.analysis.judgemoe.random_cells import random_cell
from tests.analysis.judgemoe.recorded_folders import (
    RecordedFolder,
    leaning,
    preference_items,
    scored_items,
)

torch = pytest.importorskip("torch", reason="training gates needs torch (pip install 'raim[judge]')")

ARCHITECTURES = ("linear", "low_rank", "ffn", "deepsets")


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("pool", ["log", "linear", "hard"])
@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_numpy_and_torch_agree_on_every_gate(architecture, pool, missing):
    cell = random_cell(40, 4, 5, missing=missing)
    training = Training(architecture=architecture, pool=pool, dropout=0.0)
    arrays = initial_arrays(training, 4, 5, np.random.default_rng(3))
    gate = Gate(cell.judges, tuple(cell.labels.tolist()), training, arrays)
    scorer = _Scorer(torch, cell, training, np.random.default_rng(0))
    found = scorer.score({name: torch.tensor(a) for name, a in arrays.items()}, torch.arange(40)).numpy()
    assert found == pytest.approx(gate_predict(gate, cell), abs=1e-13)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_training_lowers_the_loss_and_repeats_bit_for_bit(architecture):
    cell = random_cell(400, 4, 5)
    gate = train_gate(cell, Training(architecture=architecture, epochs=8))
    start = train_gate(cell, Training(architecture=architecture, epochs=0))
    risk = [np.mean((gate_predict(g, cell) - cell.targets) ** 2) for g in (start, gate)]
    assert risk[1] < risk[0]
    again = train_gate(cell, Training(architecture=architecture, epochs=8))
    assert all(np.array_equal(gate.arrays[name], again.arrays[name]) for name in gate.arrays)
    other = train_gate(cell, Training(architecture=architecture, epochs=8, seed=17))
    assert any(not np.array_equal(gate.arrays[name], other.arrays[name]) for name in gate.arrays)


def test_one_step_is_adams_on_the_huber_loss():
    """A single full-batch step without dropout against a finite-difference gradient and Adam's formula."""
    cell = random_cell(12, 3, 4)
    training = Training(epochs=1, batch=12, dropout=0.0)
    start = initial_arrays(training, 3, 4, np.random.default_rng(training.seed))

    def loss(arrays):
        gate = Gate(cell.judges, tuple(cell.labels.tolist()), training, arrays)
        return 0.5 * np.mean((gate_predict(gate, cell) - cell.targets) ** 2)  # errors are under Huber's 1

    trained = train_gate(cell, training)
    for index in [("score", 5), ("bias", 3), ("weight", (2, 7)), ("weight", (8, 100))]:
        name, where = index
        up, down = ({n: a.copy() for n, a in start.items()} for _ in range(2))
        up[name][where] += 1e-6
        down[name][where] -= 1e-6
        gradient = (loss(up) - loss(down)) / 2e-6
        # After one step Adam moves by lr * g / (|g| + eps).
        expected = start[name][where] - 8e-4 * gradient / (abs(gradient) + 1e-8)
        assert trained.arrays[name][where] == pytest.approx(expected, abs=3e-6)


def test_dropout_has_its_rate_and_keeps_the_mean():
    scorer = _Scorer(
        torch, random_cell(5, 2, 3, cluster_size=1), Training(dropout=0.1), np.random.default_rng(0)
    )
    kept = scorer._kept((2000, 129))
    assert kept.shape == (2000, 129)
    assert kept.mean() == pytest.approx(0.9, abs=0.002)
    assert scorer.scale == pytest.approx(1 / 0.9)
    # Units are dropped apart: neighbours in either direction agree no more often than chance.
    for a, b in ((kept[1:], kept[:-1]), (kept[:, 1:], kept[:, :-1])):
        assert (a & b).mean() == pytest.approx(0.81, abs=0.003)


def test_gate_learns_to_ignore_a_judge_that_is_upside_down():
    rng = np.random.default_rng(0)
    good = random_cell(600, 3, 5, seed=1)
    p = good.probabilities.copy()
    p[:, 2] = np.eye(5)[rng.integers(0, 5, 600)]  # confident noise: tells itself apart by its features
    cell = random_cell(600, 3, 5, seed=1, probabilities=p)
    weights = gate_weights(train_gate(cell, Training(epochs=30)), cell)
    assert weights[:, 2].mean() < 0.1


def _pairs(cell, seed=0):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, len(cell.items), (2, 500))
    different = cell.targets[first] != cell.targets[second]
    first, second = first[different], second[different]
    return Pairs(cell, first, second, np.where(cell.targets[first] > cell.targets[second], 1, -1))


def test_pairwise_term_enters_the_objective():
    cell = random_cell(300, 4, 5)
    pairs = _pairs(cell)

    def ranking_loss(gate):
        score = gate_predict(gate, cell)
        return np.maximum(0.0, -pairs.preferred * (score[pairs.first] - score[pairs.second])).mean()

    direct = train_gate(cell, Training(epochs=5))
    ignored = train_gate(cell, Training(epochs=5), pairs=pairs)
    assert np.array_equal(direct.arrays["score"], ignored.arrays["score"])
    joint = train_gate(cell, Training(epochs=5, pair_weight=0.5), pairs=pairs)
    only = train_gate(cell, Training(epochs=5, pair_weight=1.0, direct=False), pairs=pairs)
    assert not np.array_equal(direct.arrays["score"], joint.arrays["score"])
    start = train_gate(cell, Training(epochs=0))
    assert ranking_loss(only) < ranking_loss(start)


def test_missing_inputs_are_refused():
    cell = random_cell(30, 3, 4)
    with pytest.raises(InputError, match="no items"):
        train_gate(cell.take(np.array([], dtype=int)), Training())
    with pytest.raises(InputError, match="needs pairs"):
        train_gate(cell, Training(pair_weight=0.5))


def test_thread_setting_is_put_back():
    before = torch.get_num_threads()
    train_gate(random_cell(30, 3, 4), Training(epochs=1), threads=1)
    assert torch.get_num_threads() == before


def test_the_training_step_leaves_gates_that_give_its_numbers(tmp_path, root):
    """What the workflow runs for a judged suite, preferences included: the script, then the numbers without torch."""
    folder = RecordedFolder(tmp_path / "suite")
    toy, sides = scored_items(90), preference_items({"train": 60, "validation": 30})
    folder.dataset("toy", toy)
    folder.dataset("pairs", sides)
    rng = np.random.default_rng(0)
    for judge in ("a", "b", "c"):
        folder.member("toy", judge, 5, leaning(toy, 5, rng))
        folder.member("pairs", judge, 5, leaning(sides, 5, rng))
    gates, derived = tmp_path / "my gates", tmp_path / "derived"
    command = [sys.executable, "workflow/scripts/judgemoe_train.py", "mine", str(gates), str(derived)]

    def run(suite):
        environment = {**os.environ, "PYTHONPATH": str(root), "OMP_NUM_THREADS": "1"}
        line = [*command, f"suite={suite}"]
        return subprocess.run(line, cwd=root, env=environment, capture_output=True, text=True, check=False)

    done = run(folder.described())
    assert done.returncode == 0, done.stderr
    assert {path.name for path in gates.iterdir()} == {"toy@1-5.safetensors", "direct@1-5.safetensors"}
    write_derived("mine", {"suite": folder.path}, GateBook(gates), tmp_path / "again")
    found = compare_folders(tmp_path / "again", derived)
    assert found.passed, found.report()
    pairwise = json.loads((derived / "pairwise.json").read_text())
    # Judges that lean to the human score decide preferences better than chance, and so do their pools.
    assert all(values["accuracy"] > 0.7 for values in pairwise["cells"]["pairs@1-5"]["variants"].values())
    refused = run(tmp_path / "none")
    assert (refused.returncode, "raim: error: suite mine: no suite at" in refused.stderr) == (2, True)
