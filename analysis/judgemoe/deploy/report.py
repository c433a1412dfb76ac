"""Everything ``raim pool`` says about a file, as JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.deploy.advice import advise, method_of
from analysis.judgemoe.deploy.methods import Fitted, Gated, Method, Single, fit
from analysis.judgemoe.deploy.out_of_fold import (
    METHODS,
    OutOfFold,
    fold_parts,
    held_out_part,
    score_parts,
    validation_part,
)
from analysis.judgemoe.diagnostics.gate_behaviour import judge_behaviour
from analysis.judgemoe.gates.forward import gate_weights
from analysis.judgemoe.metrics.calibration import ece, mae, reliability
from analysis.judgemoe.metrics.residuals import mean_residual_correlation, residual_correlations
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.selectors.leave_one_out import leave_one_out
from analysis.judgemoe.sources.long_csv import Scores
from analysis.judgemoe.splits import straddling
from analysis.judgemoe.statistics.clusters import interval
from analysis.judgemoe.studies.values import plain, with_interval
from raim.errors import InputError

_METRICS = {"spearman": spearman, "mae": mae, "ece": ece}
_NO_PAIRS = "fewer than two judges share three items, or their errors are constant"


def analyse(
    scores: Scores, *, folds: int, seed: int, method: Method | None = None
) -> tuple[dict[str, Any], Fitted, Method]:
    """Compare the methods out of fold, advise, and fit the advised method (or ``method``) on all items.

    Where the file has splits with validation items, the advice is taken on these, by methods fitted on train, and the
    comparison is on test; otherwise both are on the out-of-fold predictions of all items.

    Returns the values, the fitted method and its name.

    Raises
    ------
    InputError
        Where no method can be told from another: all targets are equal, or every method predicts one value.
    """
    cell = scores.cell
    if np.ptp(cell.targets) == 0.0:
        raise InputError(
            f"{cell.name}: every item has the same target, so no judge can be told from another; add items that "
            "humans scored differently"
        )
    compared = score_parts(
        cell, held_out_part(cell) if scores.has_splits else fold_parts(cell, folds, seed), seed
    )
    selecting = validation_part(cell) if scores.has_splits else []
    decision = (
        advise(cell.take(selecting[0][1]), score_parts(cell, selecting, seed))
        if selecting
        else advise(cell, compared)
    )
    name: Method = method or method_of(decision)
    fitted = fit(name, cell, seed)
    found, scored, predictions, draws = compared.found, compared.cell, compared.predictions, compared.draws
    correlation = mean_residual_correlation(cell)
    values: dict[str, Any] = {
        "input": {
            "items": len(cell.items),
            "clusters": len(np.unique(cell.clusters)),
            "judges": list(cell.judges),
            "labels": list(scores.labels),
            "target_range": list(scores.target_range),
            "score_source": cell.score_source,
            "coverage": dict(zip(cell.judges, cell.present.mean(axis=0).tolist(), strict=True)),
        },
        "evaluation": {
            "scheme": "given splits" if scores.has_splits else f"{folds} folds by cluster",
            "seed": seed,
            "held_out": len(found.rows),
            "scored": len(scored.items),
            "advised_on": "validation items" if selecting else "the same held-out items",
            "straddling_clusters": straddling(cell.clusters, cell.splits) if scores.has_splits else 0,
        },
        "methods": {m: _method(m, found, predictions, draws, scored.targets) for m in METHODS},
        "differences": _differences(predictions, draws, scored.targets),
        "residual_correlation": plain(correlation),
        "diagnostics": _diagnostics(cell, scored, predictions, fitted),
        "decision": {**asdict(decision), "deployed": name, "deployed_weights": _deployed(fitted)},
    }
    if values["residual_correlation"] is None:
        values["residual_correlation_reason"] = _NO_PAIRS
    return values, fitted, name


def _method(
    name: Method,
    found: OutOfFold,
    predictions: Mapping[Method, Floats],
    draws: Mapping[str, Mapping[str, Floats]],
    targets: Floats,
) -> dict[str, Any]:
    if name not in predictions:
        blank = {"estimate": None, "low": None, "high": None, "n": 0, "reason": found.reasons[name]}
        return {metric: dict(blank) for metric in _METRICS}
    n = len(targets)
    return {
        metric: with_interval(score(predictions[name], targets), n, interval(draws[name][metric]))
        for metric, score in _METRICS.items()
    }


def _differences(
    predictions: Mapping[Method, Floats], draws: Mapping[str, Mapping[str, Floats]], targets: Floats
) -> dict[str, Any]:
    """Spearman of JudgeMoE less that of each other method, paired; empty without a gate."""
    if "judgemoe" not in predictions:
        return {}
    own = spearman(predictions["judgemoe"], targets)
    return {
        other: with_interval(
            own - spearman(values, targets),
            len(targets),
            interval(draws["judgemoe"]["spearman"] - draws[other]["spearman"]),
        )
        for other, values in predictions.items()
        if other != "judgemoe"
    }


def _deployed(fitted: Fitted) -> dict[str, float] | None:
    """Weight of each judge of the saved model; None for a gate, which weighs item by item."""
    if isinstance(fitted, Gated):
        return None
    if isinstance(fitted, Single):
        return {fitted.judge: 1.0}
    return dict(zip(fitted.judges, fitted.weights, strict=True))


def _diagnostics(
    cell: Cell, scored: Cell, predictions: Mapping[Method, Floats], fitted: Fitted
) -> dict[str, Any]:
    drops = leave_one_out(cell)
    diagrams = {}
    for name, values in predictions.items():
        bins = reliability(values, scored.targets)
        diagrams[name] = {
            "counts": bins.counts.tolist(),
            "predicted": [plain(value) for value in bins.predicted.tolist()],
            "human": [plain(value) for value in bins.human.tolist()],
        }
    out: dict[str, Any] = {
        "residual_correlations": [
            [plain(value) for value in row] for row in residual_correlations(cell).tolist()
        ],
        "leave_one_out": {
            "uniform_log": plain(drops.full),
            "gains": {judge: plain(gain) for judge, gain in zip(drops.judges, drops.gains, strict=True)},
        },
        "reliability": diagrams,
    }
    if isinstance(fitted, Gated):
        part = cell.with_judges(fitted.gate.judges)
        rows = judge_behaviour(part, gate_weights(fitted.gate, part))
        out["gate"] = [{k: v if k == "judge" else plain(v) for k, v in asdict(row).items()} for row in rows]
    return out
