"""What a gate gains from seeing more of the judges' output (paper, Tables 18 and 19)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from analysis.judgemoe.gates.parameters import Training
from analysis.judgemoe.statistics.cells import compare_cells, equal_cell_mean
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.gate_scores import gate_score, strongest_single, variant_rows
from analysis.judgemoe.studies.suite import PoolSuite
from analysis.judgemoe.studies.values import comparison, plain

#: Table 18: the mainline with fewer features.
ABLATION = ("full", "distribution_scores", "distribution")
#: Table 19: access without the distributions themselves. The gate then weighs scores, not distributions: decoded ones
#: where nothing else is given, expected ones otherwise. The paper does not say what its restricted variants pool.
RESTRICTED = ("hard", "soft", "scores", "summaries")


def restricted(base: Training, features: str) -> Training:
    """The gate of a restricted access level."""
    return replace(base, features=features, pool="hard" if features == "hard" else "linear")


def access(suite: PoolSuite, gates: GateBook) -> dict[str, Any]:
    """Feature ablation, and access levels over the seeds with the tests of section 6.4."""
    base = suite.mainline
    singles = {cell.name: strongest_single(cell) for cell in suite.ablated}
    ablation = {
        features: {
            cell.name: gate_score(gates, cell, replace(base, features=features)) for cell in suite.ablated
        }
        for features in ABLATION
    }
    levels: dict[str, Any] = {}
    by_cell: dict[str, Any] = {}
    for features in RESTRICTED:
        scores = np.array(
            [
                [
                    gate_score(gates, cell, replace(restricted(base, features), seed=s))
                    for cell in suite.ablated
                ]
                for s in suite.seeds
            ]
        )
        means = [equal_cell_mean(row) for row in scores]
        by_cell[features] = scores.mean(axis=0)
        levels[features] = {
            "mean": plain(float(np.mean(means))),
            "deviation": plain(float(np.std(means, ddof=1))) if len(means) > 1 else None,
            "by_cell": dict(zip(singles, map(plain, by_cell[features].tolist()), strict=True)),
        }
    return {
        "ablation": variant_rows(ablation, singles),
        "levels": levels,
        "soft_beside_hard": comparison(compare_cells(by_cell["scores"], by_cell["hard"])),
        "summaries_beside_scores": comparison(compare_cells(by_cell["summaries"], by_cell["scores"])),
    }
