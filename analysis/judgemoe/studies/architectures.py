"""Gates and pools compared (paper, Tables 12, 13, 14 and 41)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from analysis.judgemoe.gates.parameters import Training
from analysis.judgemoe.statistics.cells import equal_cell_mean
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.gate_scores import gate_score, strongest_single, variant_rows
from analysis.judgemoe.studies.suite import PoolSuite
from analysis.judgemoe.studies.values import plain

TEMPERATURES = (0.7, 1.0, 1.3)
#: Epochs of the separate two-by-two comparison.
LONG_EPOCHS = 30


def architectures(suite: PoolSuite, gates: GateBook, compact: tuple[str, ...]) -> dict[str, Any]:
    """Temperature sweep, learned-aggregation selection, gate x pool with seeds, and seed stability.

    For suites whose judges gave probabilities, over their ablated cells.
    """
    base = suite.mainline
    untempered = replace(base, temperature=1.0)
    variants: dict[str, tuple[Training, tuple[str, ...] | None]] = {
        "linear_log": (replace(untempered, architecture="linear"), None),
        "ffn_linear": (replace(untempered, architecture="ffn", pool="linear"), None),
        "low_rank_log": (replace(untempered, architecture="low_rank"), None),
        "deepsets_log": (untempered, None),
        "deepsets_log_tempered": (base, None),
        "compact": (base, compact),
    }
    singles = {cell.name: strongest_single(cell) for cell in suite.ablated}
    selection = {
        name: {cell.name: gate_score(gates, cell, training, judges=judges) for cell in suite.ablated}
        for name, (training, judges) in variants.items()
    }
    temperatures = {
        f"{t:g}": {cell.name: gate_score(gates, cell, replace(base, temperature=t)) for cell in suite.ablated}
        for t in TEMPERATURES
    }
    return {
        "selection": variant_rows(selection, singles),
        "temperatures": variant_rows(temperatures, singles),
        "gate_by_pool": _gate_by_pool(suite, gates),
        "seeds": {
            "mainline": _over_seeds(suite, gates, base, None, singles),
            "compact": _over_seeds(suite, gates, base, compact, singles),
        },
    }


def _gate_by_pool(suite: PoolSuite, gates: GateBook) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for architecture in ("ffn", "deepsets"):
        for pool in ("linear", "log"):
            long = replace(suite.mainline, architecture=architecture, pool=pool, epochs=LONG_EPOCHS)
            out[f"{architecture}_{pool}"] = _seed_means(suite, gates, long, None)
    return out


def _over_seeds(
    suite: PoolSuite,
    gates: GateBook,
    training: Training,
    judges: tuple[str, ...] | None,
    singles: dict[str, float],
) -> dict[str, Any]:
    found = _seed_means(suite, gates, training, judges)
    best = equal_cell_mean(np.array(list(singles.values())))
    return {**found, "gain": None if found["mean"] is None else plain(found["mean"] - best)}


def _seed_means(
    suite: PoolSuite, gates: GateBook, training: Training, judges: tuple[str, ...] | None
) -> dict[str, Any]:
    """Equal-cell mean of each seed, their mean and their standard deviation."""
    means = [
        equal_cell_mean(
            np.array(
                [gate_score(gates, cell, replace(training, seed=s), judges=judges) for cell in suite.ablated]
            )
        )
        for s in suite.seeds
    ]
    return {
        "seeds": list(suite.seeds),
        "by_seed": [plain(value) for value in means],
        "mean": plain(float(np.mean(means))),
        "deviation": plain(float(np.std(means, ddof=1))) if len(means) > 1 else None,
    }
