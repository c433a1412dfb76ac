"""Time JudgeMoE on a cell of the largest size, beside plain per-item loops: ``python -m benchmarks.judgemoe``.

A cell of 100,000 items, 6 judges and 10 labels. Ours are timed whole; the plain loops, which would take minutes to
hours, on a part of the items, and scaled to the whole. Training needs torch and is left out without it.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell, build_cell
from analysis.judgemoe.features import feature_tensor
from analysis.judgemoe.gates.parameters import Training, initial_arrays
from analysis.judgemoe.gates.train import require_torch, train_gate
from analysis.judgemoe.metrics.calibration import ece, mae
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.pools.fixed import fit_pool
from analysis.judgemoe.pools.log import EPSILON
from analysis.judgemoe.selectors.subsets import search_subsets
from raim.errors import InputError

ITEMS, JUDGES, LABELS = 100_000, 6, 10
EPOCHS = 20
#: Items that a plain loop is timed on: features and pools, subsets, training steps.
LOOP_ITEMS, SUBSET_ITEMS, STEP_ITEMS = 1000, 60, 300


def cell(n: int = ITEMS) -> Cell:
    """Judges that lean to the target."""
    rng = np.random.default_rng(0)
    targets = rng.random(n)
    labels = np.linspace(0.0, 1.0, LABELS)
    centres = targets[:, None] + 0.25 * rng.standard_normal((n, JUDGES))
    logits = -((labels - centres[:, :, None]) ** 2) / 0.05
    p = np.exp(logits - logits.max(axis=2, keepdims=True))
    return build_cell(
        dataset="bench",
        scale=f"1-{LABELS}",
        label_values=list(range(1, LABELS + 1)),
        judges=[f"j{j}" for j in range(JUDGES)],
        items=[str(i) for i in range(n)],
        clusters=[str(i // 16) for i in range(n)],
        targets=targets,
        probabilities=p / p.sum(axis=2, keepdims=True),
        present=np.ones((n, JUDGES), dtype=np.bool_),
        splits=np.zeros(n, dtype=np.int64),
    )


def features_pools_metrics(data: Cell) -> list[float]:
    """All features, four fixed pools with their weights, three metrics each."""
    feature_tensor(data, "full")
    scores = []
    for weighting in ("uniform", "cov"):
        for kind in ("linear", "log"):
            prediction = fit_pool(data, weighting, kind).predict(data)  # type: ignore[arg-type]
            scores += [metric(prediction, data.targets) for metric in (spearman, mae, ece)]
    return scores


def plain_features_pools(data: Cell) -> list[Floats]:
    """The same features and pools item by item and judge by judge (uniform weights; metrics cost nothing beside it)."""
    s = data.labels
    predictions = []
    for p in data.probabilities:
        for q in p:
            order = np.sort(q)
            near = q[q >= order[-1] / 2].sum() - order[-1]
            entropy = -sum(x * np.log(x) for x in q if x > 0)
            np.array([*q, s[np.argmax(q)], q @ s, order[-1] - order[-2], entropy, order[-1], near])
        row = []
        for _ in range(2):
            logits = sum(np.log(q + EPSILON) for q in p) / len(p)
            pooled = np.exp(logits - logits.max())
            row += [(sum(p) / len(p)) @ s, pooled / pooled.sum() @ s]
        predictions.append(np.array(row))
    return predictions


def plain_subsets(data: Cell) -> list[Floats]:
    """120 candidates, each pooled item by item."""
    log_p = np.log(data.probabilities + EPSILON)
    out = []
    for candidate in range(120):
        chosen = [j for j in range(JUDGES) if (candidate % 63 + 1) >> j & 1]
        scores = []
        for item in log_p:
            logits = sum(item[j] for j in chosen) / len(chosen)
            pooled = np.exp(logits - logits.max())
            scores.append(pooled / pooled.sum() @ data.labels)
        out.append(np.array(scores))
    return out


def plain_steps(torch: Any, data: Cell) -> None:
    """Gradients of one epoch item by item, with a step a batch of 128, as a loop over examples does it."""
    training = Training()
    rng = np.random.default_rng(0)
    arrays = {
        name: torch.tensor(value, requires_grad=True)
        for name, value in initial_arrays(training, JUDGES, LABELS, rng).items()
    }
    optimiser = torch.optim.Adam(list(arrays.values()), lr=training.learning_rate)
    x = torch.from_numpy(feature_tensor(data, training.features))
    log_p = torch.from_numpy(np.log(data.probabilities + EPSILON))
    labels, y = torch.from_numpy(data.labels), torch.from_numpy(data.targets)
    for i in range(len(data.items)):
        hidden = torch.dropout(
            torch.relu(x[i] @ arrays["weight"] + arrays["bias"]), training.dropout, train=True
        )
        weights = torch.softmax(hidden @ arrays["score"], dim=0)
        pooled = torch.softmax(weights @ log_p[i] / training.temperature, dim=0)
        torch.nn.functional.huber_loss(pooled @ labels, y[i]).backward()
        if i % training.batch == training.batch - 1:
            optimiser.step()
            optimiser.zero_grad()


def timed(run: Callable[[], object]) -> tuple[float, float]:
    """Wall and processor seconds of one run."""
    wall, processor = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - processor


def row(
    name: str, ours: tuple[float, float], plain: tuple[float, float], scale: float, target: float
) -> None:
    """One line: ours, the plain loop scaled to the whole, their ratio, and the target."""
    ratio = plain[1] * scale / ours[1]
    print(
        f"{name:<34}{ours[0]:>9.2f}{ours[1]:>9.2f}{plain[1] * scale:>13.1f}{ratio:>9.0f}x{target:>9.0f}",
        flush=True,
    )


def main() -> None:
    """Print one line a task, in seconds, then the memory this process took."""
    data = cell()
    print(f"{ITEMS:,} items, {JUDGES} judges, {LABELS} labels; one thread")
    print(f"{'task':<34}{'wall':>9}{'cpu':>9}{'plain, cpu':>13}{'faster':>10}{'target':>9}")
    part = data.take(np.arange(LOOP_ITEMS))
    row(
        "features, fixed pools, metrics",
        timed(lambda: features_pools_metrics(data)),
        timed(lambda: plain_features_pools(part)),
        ITEMS / LOOP_ITEMS,
        2,
    )
    few = data.take(np.arange(SUBSET_ITEMS))
    row(
        "63 subsets, uniform and cov",
        timed(lambda: search_subsets(data)),
        timed(lambda: plain_subsets(few)),
        ITEMS / SUBSET_ITEMS,
        20,
    )
    try:
        torch = require_torch()
    except InputError as error:
        print(f"{EPOCHS} epochs of the gate: left out ({error})")
    else:
        torch.set_num_threads(1)
        some = data.take(np.arange(STEP_ITEMS))
        row(
            f"{EPOCHS} epochs of the DeepSets gate",
            timed(lambda: train_gate(data, Training(epochs=EPOCHS))),
            timed(lambda: plain_steps(torch, some)),
            EPOCHS * ITEMS / STEP_ITEMS,
            60,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"peak memory of the process: {peak:.2f} GiB (target 2)")


if __name__ == "__main__":
    main()
