"""What the cells hold (paper, Tables 1 and 9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.judgemoe.cell import SPLITS, Cell
from analysis.judgemoe.splits import straddling


def cell_data(cell: Cell) -> dict[str, Any]:
    """Sizes, splits, clusters and coverage of a cell."""
    counts = np.bincount(cell.splits, minlength=len(SPLITS))
    return {
        "dataset": cell.dataset,
        "scale": cell.scale,
        "items": len(cell.items),
        "clusters": len(np.unique(cell.clusters)),
        "straddling_clusters": straddling(cell.clusters, cell.splits),
        "splits": dict(zip(SPLITS, counts.tolist(), strict=True)),
        "labels": cell.labels.tolist(),
        "judges": list(cell.judges),
        "coverage": dict(zip(cell.judges, cell.present.mean(axis=0).tolist(), strict=True)),
        "score_source": cell.score_source,
        "target_mean": float(cell.targets.mean()),
    }
