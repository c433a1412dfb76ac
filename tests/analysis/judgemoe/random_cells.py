"""Small random cells for the tests."""

from __future__ import annotations

import numpy as np

from analysis.judgemoe.cell import Cell, build_cell
from analysis.judgemoe.splits import split_by_cluster


def random_cell(
    n: int = 120,
    m: int = 4,
    k: int = 5,
    *,
    seed: int = 0,
    missing: float = 0.0,
    cluster_size: int = 3,
    **changes,
) -> Cell:
    """Judges whose distributions lean to the target, some absent."""
    rng = np.random.default_rng(seed)
    targets = rng.random(n)
    labels = np.linspace(0.0, 1.0, k)
    centres = targets[:, None] + 0.2 * rng.standard_normal((n, m))
    logits = -((labels - centres[:, :, None]) ** 2) / 0.08 + 0.3 * rng.standard_normal((n, m, k))
    p = np.exp(logits - logits.max(axis=2, keepdims=True))
    present = rng.random((n, m)) >= missing
    present[np.arange(n), rng.integers(0, m, n)] = True
    clusters = [f"c{i // cluster_size}" for i in range(n)]
    parts = {
        "dataset": "random",
        "scale": f"1-{k}",
        "label_values": list(range(1, k + 1)),
        "judges": [f"j{j}" for j in range(m)],
        "items": [f"i{i}" for i in range(n)],
        "clusters": clusters,
        "targets": targets,
        "probabilities": p / p.sum(axis=2, keepdims=True),
        "present": present,
        "splits": split_by_cluster(np.arange(n) // cluster_size)
        if n // cluster_size > 2
        else np.arange(n) % 3,
    }
    return build_cell(**{**parts, **changes})
