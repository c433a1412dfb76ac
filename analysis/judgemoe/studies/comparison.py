"""The main comparison (paper, Tables 2, 11, 26 to 30, 32, 33 and 47, Figures 3 and 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analysis.judgemoe.metrics.calibration import ece, mae, reliability, rmse
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.statistics.cells import (
    cell_bootstrap,
    compare_cells,
    equal_cell_mean,
    sample_weighted_mean,
)
from analysis.judgemoe.statistics.clusters import bootstrap_metrics, interval, two_sided_p
from analysis.judgemoe.statistics.power import cells_needed, power
from analysis.judgemoe.studies.predictions import METHODS, TestPredictions
from analysis.judgemoe.studies.suite import PoolSuite
from analysis.judgemoe.studies.values import comparison, floats, plain, score, with_interval

#: What JudgeMoE is compared with.
BASELINES = ("uniform_log", "cov_log", "best_single")
#: Systems of the calibration tables and of the reliability diagram.
CALIBRATED = ("judgemoe", "best_single", "uniform_log", "cov_log")


def compare_cell(found: TestPredictions) -> dict[str, Any]:
    """Scores of all methods on one cell with intervals over clusters, paired differences, and reliability bins.

    All methods are scored on the same items: those on which each of them has a prediction.
    """
    kept = found.common
    y, clusters = found.test.targets[kept], found.test.clusters[kept]
    predictions = {name: values[kept] for name, values in found.methods.items()}
    n = int(kept.sum())
    draws = bootstrap_metrics(predictions, y, clusters)
    methods = {}
    for name, values in predictions.items():
        estimates = {"spearman": spearman(values, y), "mae": mae(values, y), "ece": ece(values, y)}
        methods[name] = {
            key: with_interval(value, n, interval(draws[name][key])) for key, value in estimates.items()
        }
        methods[name]["rmse"] = score(rmse(values, y), n)
    differences = {}
    for baseline in BASELINES:
        gap = draws["judgemoe"]["spearman"] - draws[baseline]["spearman"]
        estimate = spearman(predictions["judgemoe"], y) - spearman(predictions[baseline], y)
        differences[baseline] = {
            **with_interval(estimate, n, interval(gap)),
            "p_value": plain(two_sided_p(gap)),
        }
    diagrams = {}
    for name in CALIBRATED:
        diagram = reliability(predictions[name], y)
        diagrams[name] = {
            "counts": diagram.counts.tolist(),
            "predicted": [plain(value) for value in diagram.predicted.tolist()],
            "human": [plain(value) for value in diagram.human.tolist()],
        }
    return {
        "dataset": found.test.dataset,
        "scale": found.test.scale,
        "test_items": len(found.test.items),
        "n": n,
        "clusters": len(np.unique(clusters)),
        "singles": found.singles,
        "methods": methods,
        "differences": differences,
        "reliability": diagrams,
    }


def summarise(suite: PoolSuite, cells: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Summaries with tests: over the original cells, over all, and over the original with each additional dataset."""
    original = [cells[cell.name] for cell in suite.original]
    added = [cells[cell.name] for cell in suite.cells if cell.name in suite.additional]
    datasets = dict.fromkeys(cell["dataset"] for cell in added)
    return {
        "original": _summary(original),
        "all": _summary([*original, *added]),
        "extended": {
            d: _summary([*original, *(cell for cell in added if cell["dataset"] == d)]) for d in datasets
        },
    }


def weighted_subsets(suite: PoolSuite, cells: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Table 26: sample-weighted summaries over the original cells, all and without each dataset."""
    original = [cells[cell.name] for cell in suite.original]
    datasets = dict.fromkeys(cell["dataset"] for cell in original)
    subsets = {f"All {len(original)} cells": original}
    if len(datasets) > 1:
        subsets |= {f"Exclude {d}": [cell for cell in original if cell["dataset"] != d] for d in datasets}
    out = {}
    for name, chosen in subsets.items():
        summary = _summary(chosen)
        out[name] = {
            "cells": len(chosen),
            "spearman": summary["weighted_spearman"]["judgemoe"],
            **{baseline: summary["weighted"][baseline] for baseline in ("best_single", "cov_log")},
        }
    return out


def _summary(cells: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    sizes = np.array([float(cell["n"]) for cell in cells])
    scores = {
        m: np.array(floats([cell["methods"][m]["spearman"]["estimate"] for cell in cells])) for m in METHODS
    }
    out: dict[str, Any] = {"cells": len(cells), "spearman": {}, "weighted_spearman": {}, "ece": {}, "mae": {}}
    for method in METHODS:
        out["spearman"][method] = plain(equal_cell_mean(scores[method]))
        out["weighted_spearman"][method] = plain(sample_weighted_mean(scores[method], sizes))
        for metric in ("ece", "mae"):
            values = np.array(floats([cell["methods"][method][metric]["estimate"] for cell in cells]))
            out[metric][method] = plain(equal_cell_mean(values))
    out["comparisons"], out["weighted"], out["power"] = {}, {}, {}
    for baseline in BASELINES:
        difference = scores["judgemoe"] - scores[baseline]
        out["comparisons"][baseline] = comparison(compare_cells(scores["judgemoe"], scores[baseline]))
        defined = np.isfinite(difference)
        bounds = (
            cell_bootstrap(difference[defined], sizes[defined]) if defined.any() else interval(difference)
        )
        out["weighted"][baseline] = {
            "difference": plain(sample_weighted_mean(difference, sizes)),
            "low": plain(bounds.low),
            "high": plain(bounds.high),
        }
        out["power"][baseline] = power_note(difference[defined].tolist())
    return out


def power_note(differences: Sequence[float]) -> dict[str, Any]:
    """Table 30 for one comparison: mean, standard deviation, power at this number of cells, cells for 80% power."""
    if len(differences) < 2:
        return {
            "mean": None,
            "deviation": None,
            "power": None,
            "cells": None,
            "reason": "fewer than two cells",
        }
    mean, deviation = float(np.mean(differences)), float(np.std(differences, ddof=1))
    if deviation == 0.0:
        return {
            "mean": mean,
            "deviation": 0.0,
            "power": None,
            "cells": None,
            "reason": "the cells do not differ",
        }
    needed = cells_needed(mean, deviation)
    note = {
        "mean": mean,
        "deviation": deviation,
        "power": power(mean, deviation, len(differences)),
        "cells": needed,
    }
    return note if needed is not None else {**note, "reason": "the mean difference is not positive"}
