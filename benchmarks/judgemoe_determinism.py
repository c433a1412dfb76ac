"""Does training a gate give the same numbers elsewhere? ``python -m benchmarks.judgemoe_determinism`` (needs torch).

The same gates are trained in fresh processes under other thread counts, vector instructions and BLAS code paths, and
compared with one thread and the machine's own choice: the largest change of a parameter as trained, in float64, and of
a prediction and the test Spearman of the released gate, which is rounded to float32. The latter two are compared with
the 1e-8 that the derived tier is held to.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from analysis.judgemoe.cell import TEST, TRAIN
from analysis.judgemoe.gates.forward import gate_predict
from analysis.judgemoe.gates.parameters import Training
from analysis.judgemoe.gates.train import released, trained_arrays
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.simulation.cells import simulate_cell
from analysis.judgemoe.simulation.suite import ORIGINAL

ARCHITECTURES = ("linear", "low_rank", "ffn", "deepsets")
ITEMS = 6000
TOLERANCE = 1e-8
#: Environments beside the first, which is the one that gates are released from.
SETTINGS: dict[str, dict[str, str]] = {
    "1 thread": {},
    "1 thread, again": {},
    "2 threads": {"GATE_THREADS": "2"},
    "torch kernels without AVX": {"ATEN_CPU_CAPABILITY": "default"},
    "torch kernels AVX2": {"ATEN_CPU_CAPABILITY": "avx2"},
    "MKL compatible path": {"MKL_CBWR": "COMPATIBLE"},
    "MKL AVX2 path": {"MKL_CBWR": "AVX2"},
    "MKL AVX512 path": {"MKL_CBWR": "AVX512"},
}


def child(folder: Path) -> None:
    """Train every architecture on one simulated cell; write parameters, predictions and scores."""
    scenario = next(s for s in ORIGINAL if s.dataset == "specialists")
    cell = simulate_cell(replace(scenario, items=ITEMS), 1, 10, np.random.default_rng(1)).cell
    train, test = cell.split(TRAIN), cell.split(TEST)
    threads = int(os.environ.get("GATE_THREADS", "1"))
    for architecture in ARCHITECTURES:
        training = Training(architecture=architecture)  # type: ignore[arg-type]
        arrays = trained_arrays(train, training, threads=threads)
        gate = released(train, training, arrays)
        prediction = gate_predict(gate, test)
        np.savez(
            folder / f"{architecture}.npz",
            trained=np.concatenate([array.ravel() for array in arrays.values()]),
            released=np.concatenate([array.ravel() for array in gate.arrays.values()]),
            prediction=prediction,
            score=np.array([spearman(prediction, test.targets)]),
        )


def trained(settings: Mapping[str, str], folder: Path) -> dict[str, Mapping[str, np.ndarray]]:
    """What a fresh process trains under these settings, by architecture."""
    environment = {**os.environ, "OMP_NUM_THREADS": settings.get("GATE_THREADS", "1"), **settings}
    subprocess.run(
        [sys.executable, "-m", "benchmarks.judgemoe_determinism", str(folder)], env=environment, check=True
    )
    return {name: np.load(folder / f"{name}.npz") for name in ARCHITECTURES}


def main() -> None:
    """Print one line a setting and architecture."""
    if len(sys.argv) == 2:
        child(Path(sys.argv[1]))
        return
    print(
        f"{'setting':<27}{'gate':<10}{'parameter':>10}{'released differ':>18}{'prediction':>12}{'Spearman':>10}  1e-8"
    )
    first: dict[str, Mapping[str, np.ndarray]] | None = None
    for name, settings in SETTINGS.items():
        with tempfile.TemporaryDirectory() as folder:
            found = trained(settings, Path(folder))
            first = first or found
            for architecture in ARCHITECTURES:
                a, b = first[architecture], found[architecture]
                drift = float(np.abs(a["trained"] - b["trained"]).max())
                differ = f"{int((a['released'] != b['released']).sum())} of {a['released'].size}"
                change = float(np.abs(a["prediction"] - b["prediction"]).max())
                score = float(abs(a["score"][0] - b["score"][0]))
                held = "held" if max(change, score) <= TOLERANCE else "not held"
                numbers = f"{drift:>10.1e}{differ:>18}{change:>12.1e}{score:>10.1e}"
                print(f"{name:<27}{architecture:<10}{numbers}  {held}", flush=True)


if __name__ == "__main__":
    main()
