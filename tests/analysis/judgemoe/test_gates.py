"""Applying and storing gates: no torch."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from analysis.judgemoe.features import feature_tensor
from analysis.judgemoe.gates.forward import gate_distribution, gate_predict, gate_weights
from analysis.judgemoe.gates.parameters import Gate, Training, initial_arrays
from analysis.judgemoe.gates.store import gate_from_json, gate_json, load_gates, save_gates
from analysis.judgemoe.gates.train import train_gate
from raim.errors import InputError
from tests.analysis.judgemoe.random_cells import random_cell

ARCHITECTURES = ("linear", "low_rank", "ffn", "deepsets")


def random_gate(cell, draw=0, **settings):
    training = Training(**settings)
    arrays = initial_arrays(training, len(cell.judges), len(cell.labels), np.random.default_rng(draw))
    arrays = {name: (3 * a).astype(np.float32).astype(float) for name, a in arrays.items()}
    return Gate(cell.judges, tuple(cell.labels.tolist()), training, arrays)


def plain_weights(gate, cell):
    """One item and judge at a time, as section 3.2 and the architecture variants read."""
    x = feature_tensor(cell, gate.training.features)
    a = gate.arrays
    out = np.full(cell.present.shape, np.nan)
    for i in range(len(x)):
        flat = x[i].ravel()
        kind = gate.training.architecture
        if kind == "linear":
            z = flat @ a["weight"] + a["bias"]
        elif kind == "low_rank":
            z = flat @ (a["left"] @ a["right"]) + a["bias"]
        elif kind == "ffn":
            z = np.maximum(flat @ a["weight"] + a["bias"], 0) @ a["out"] + a["out_bias"]
        else:
            z = np.array(
                [np.maximum(x[i, j] @ a["weight"] + a["bias"], 0) @ a["score"] for j in range(x.shape[1])]
            )
        powers = [np.exp(z[j]) if cell.present[i, j] else 0.0 for j in range(x.shape[1])]
        out[i] = np.array(powers) / sum(powers)
    return out


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_weights_against_a_plain_loop(architecture, missing):
    cell = random_cell(30, 4, 5, missing=missing)
    gate = random_gate(cell, architecture=architecture)
    weights = gate_weights(gate, cell)
    assert weights == pytest.approx(plain_weights(gate, cell), abs=1e-12)
    assert weights.sum(axis=1) == pytest.approx(1.0)
    assert not weights[~cell.present].any()
    assert np.ptp(weights[cell.present]) > 0.01  # a gate that says the same of all would prove nothing


def test_pools_of_a_gate():
    cell = random_cell(30, 4, 5)
    weights = gate_weights(random_gate(cell), cell)
    log = gate_distribution(random_gate(cell), cell)
    logits = (weights[:, :, None] * np.log(cell.probabilities + 1e-6)).sum(axis=1) / 0.7
    expected = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert log == pytest.approx(expected, abs=1e-12)
    linear = gate_predict(random_gate(cell, pool="linear"), cell)
    assert linear == pytest.approx((weights * (cell.probabilities @ cell.labels)).sum(axis=1), abs=1e-12)
    hard = random_gate(cell, pool="hard", features="hard")
    assert gate_predict(hard, cell) == pytest.approx(
        (gate_weights(hard, cell) * cell.labels[cell.probabilities.argmax(axis=2)]).sum(axis=1)
    )
    with pytest.raises(InputError, match="no distribution"):
        gate_distribution(hard, cell)


def test_deepsets_is_permutation_invariant_and_ffn_is_not():
    cell = random_cell(40, 5, 6, missing=0.2)
    order = ["j3", "j0", "j4", "j2", "j1"]
    shuffled = cell.with_judges(order)
    for architecture, invariant in (("deepsets", True), ("ffn", False)):
        gate = random_gate(cell, architecture=architecture)
        renamed = Gate(tuple(order), gate.labels, gate.training, gate.arrays)
        a, b = gate_weights(gate, cell), gate_weights(renamed, shuffled)
        aligned = b[:, [order.index(j) for j in cell.judges]]
        assert np.allclose(a, aligned, atol=1e-12) == invariant
        same = np.allclose(gate_predict(gate, cell), gate_predict(renamed, shuffled), atol=1e-12)
        assert same == invariant


def test_a_gate_of_some_judges_reads_only_them():
    cell = random_cell(30, 4, 5)
    gate = random_gate(cell.with_judges(["j2", "j0"]))
    assert gate_predict(gate, cell) == pytest.approx(
        gate_predict(gate, cell.with_judges(["j2", "j0"])), abs=1e-15
    )


def test_blocks_change_nothing(monkeypatch):
    cell = random_cell(50, 3, 4)
    gate = random_gate(cell)
    whole = gate_weights(gate, cell)
    monkeypatch.setattr("analysis.judgemoe.gates.forward._BLOCK", 7)
    assert gate_weights(gate, cell) == pytest.approx(whole, abs=1e-15)


def test_other_judges_and_labels_are_refused():
    cell = random_cell(20, 3, 4)
    gate = random_gate(cell)
    with pytest.raises(InputError, match="judge 'j2'"):
        gate_weights(gate, cell.with_judges(["j0", "j1"]))
    with pytest.raises(InputError, match="labels"):
        gate_weights(gate, random_cell(20, 3, 4, label_values=[0, 1, 2, 9]))
    with pytest.raises(InputError, match="shapes"):
        Gate(("a",), gate.labels, gate.training, {"weight": np.zeros((2, 2))})


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_stored_gates_come_back_exactly(tmp_path, architecture):
    cell = random_cell(20, 3, 4)
    gates = {
        "main": random_gate(cell, 1, architecture=architecture),
        "other/name": random_gate(cell, 2, seed=17),
    }
    save_gates(tmp_path / "g.safetensors", gates)
    back = load_gates(tmp_path / "g.safetensors")
    assert set(back) == set(gates)
    for name, gate in gates.items():
        assert back[name].training == gate.training
        assert np.array_equal(gate_predict(back[name], cell), gate_predict(gate, cell))
        assert np.array_equal(gate_predict(gate_from_json(gate_json(gate)), cell), gate_predict(gate, cell))
    first = (tmp_path / "g.safetensors").read_bytes()
    save_gates(tmp_path / "g.safetensors", dict(reversed(gates.items())))
    assert (tmp_path / "g.safetensors").read_bytes() == first


def test_the_file_is_safetensors(tmp_path):
    reader = pytest.importorskip("safetensors.numpy")
    cell = random_cell(20, 3, 4)
    gate = random_gate(cell)
    save_gates(tmp_path / "g.safetensors", {"main": gate})
    found = reader.load_file(tmp_path / "g.safetensors")
    assert set(found) == {f"main/{name}" for name in gate.arrays}
    assert np.array_equal(found["main/weight"], gate.arrays["weight"].astype(np.float32))


def test_damaged_files_are_refused(tmp_path):
    cell = random_cell(20, 3, 4)
    path = tmp_path / "g.safetensors"
    with pytest.raises(InputError, match="cannot read"):
        load_gates(path)
    save_gates(path, {"main": random_gate(cell)})
    whole = path.read_bytes()
    for damaged in (whole[:4], whole[:200], whole[:-8], b"x" * 40, b""):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="not a file of gates"):
            load_gates(path)


def test_gates_that_are_not_float32_are_not_written(tmp_path):
    cell = random_cell(20, 3, 4)
    gate = random_gate(cell)
    odd = Gate(
        gate.judges, gate.labels, gate.training, {**gate.arrays, "score": gate.arrays["score"] + 1e-12}
    )
    with pytest.raises(InputError, match="float32"):
        save_gates(tmp_path / "g.safetensors", {"main": odd})
    assert not list(tmp_path.iterdir())


def test_training_without_torch_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match=r"pip install 'raim\[judge\]'"):
        train_gate(random_cell(20, 3, 4), Training())


def test_the_analysis_imports_no_torch():
    import subprocess

    modules = "analysis.judgemoe.gates.train, analysis.judgemoe.gates.forward"
    code = f"import {modules}, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_settings_are_checked():
    for wrong in ({"architecture": "transformer"}, {"features": "all"}, {"direct": False}):
        with pytest.raises(InputError):
            Training(**wrong)
