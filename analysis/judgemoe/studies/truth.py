"""What only a simulated suite can show: whether the methods find what is there."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.judgemoe.cell import TEST
from analysis.judgemoe.gates.forward import gate_weights
from analysis.judgemoe.metrics.calibration import rmse
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.pools.fixed import fit_pool
from analysis.judgemoe.simulation.cells import SimulatedCell
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.suite import PoolSuite
from analysis.judgemoe.studies.values import plain
from analysis.judgemoe.theory.temperature import estimate_temperature


def cell_truth(suite: PoolSuite, simulated: SimulatedCell, gates: GateBook) -> dict[str, Any]:
    """Against the truth: T*, the gate's routing, its weight on bad judges, and the best score that is possible."""
    cell = simulated.cell
    rows = np.flatnonzero(cell.splits == TEST)
    test = cell.take(rows)
    mean = simulated.posterior_mean[rows]
    models = simulated.scenario.judges
    weights = gate_weights(gates.gate(cell, suite.mainline), test)
    right = simulated.right_judge()[rows]
    routed = right >= 0
    pools = {f"{t:g}": fit_pool(test, "uniform", "log", t).predict(test) for t in (0.7, 1.0, 1.3)}
    best = simulated.optimal_temperature()
    pools["optimal"] = fit_pool(test, "uniform", "log", best).predict(test)
    return {
        "n": len(test.items),
        "bayes_spearman": plain(spearman(mean, test.targets)),
        "optimal_temperature": best,
        "estimated_temperature": estimate_temperature(cell),
        "exact_model": all(
            m.error == 0 and m.bias == 0 and not m.reversed_scale and m.specialty is None for m in models
        ),
        "distance_to_posterior_mean": {name: plain(rmse(values, mean)) for name, values in pools.items()},
        "routed_items": int(routed.sum()),
        "right_judge_rate": float((weights[routed].argmax(axis=1) == right[routed]).mean())
        if routed.any()
        else None,
        "reversed_judges": {
            model.name: float(weights[:, j].mean()) for j, model in enumerate(models) if model.reversed_scale
        },
        "flat_judges": {
            model.name: float(weights[:, j].mean()) for j, model in enumerate(models) if model.tau > 10.0
        },
    }
