"""What the trained gates do: per judge, per item, for the pick of a group (paper, Tables 39, 50 and 52)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from analysis.judgemoe.diagnostics.best_of_n import best_of_n
from analysis.judgemoe.diagnostics.gate_behaviour import judge_behaviour, quality_gate_correlation
from analysis.judgemoe.diagnostics.illustrations import closer_rate, largest_change
from analysis.judgemoe.statistics.cells import equal_cell_mean, sample_weighted_mean
from analysis.judgemoe.studies.predictions import TestPredictions
from analysis.judgemoe.studies.values import floats, plain

PICKERS = ("judgemoe", "uniform_log", "best_single")


def cell_behaviour(found: TestPredictions) -> dict[str, Any]:
    """Gate behaviour, illustrations against the covariance-aware pool, and best-of-N within clusters, on test."""
    rows = judge_behaviour(found.test, found.weights)
    method, baseline = found.methods["judgemoe"], found.methods["cov_log"]
    rate, compared = closer_rate(method, baseline, found.test.targets)
    picks = {}
    for name in PICKERS:
        values = np.where(found.common, found.methods[name], np.nan)
        pick = best_of_n(values, found.test.targets, found.test.clusters)
        picks[name] = {key: plain(value) if key != "groups" else value for key, value in asdict(pick).items()}
    return {
        "judges": [
            {key: v if key == "judge" else plain(v) for key, v in asdict(row).items()} for row in rows
        ],
        "quality_gate_correlation": plain(quality_gate_correlation(rows)),
        "illustrations": {
            direction: _illustration(found, method, baseline, helps=direction == "helps")
            for direction in ("helps", "hurts")
        },
        "closer": {"rate": plain(rate), "n": compared},
        "best_of_n": picks,
    }


def _illustration(found: TestPredictions, method: Any, baseline: Any, *, helps: bool) -> dict[str, Any]:
    example = largest_change(found.test, method, baseline, found.weights, helps=helps)
    values = asdict(example)
    return {
        key: [plain(x) for x in value]
        if isinstance(value, tuple)
        else value
        if isinstance(value, str)
        else plain(value)
        for key, value in values.items()
    }


def closer_summary(cells: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Share of items on which JudgeMoE is closer to the human score, per cell and per item (note of Table 50)."""
    rates = np.array(floats([cell["closer"]["rate"] for cell in cells]))
    sizes = np.array([float(cell["closer"]["n"]) for cell in cells])
    return {
        "equal_cell": plain(equal_cell_mean(rates)),
        "item_weighted": plain(sample_weighted_mean(rates, sizes)),
        "items": int(sizes.sum()),
    }
