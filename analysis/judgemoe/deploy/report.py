"""Everything ``raim pool`` says about a file, as JSON values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.deploy.methods import Fitted, Gated, Method, fit
from analysis.judgemoe.deploy.out_of_fold import (
    METHODS,
    OutOfFold,
    Part,
    fold_parts,
    held_out_part,
    out_of_fold,
    validation_part,
)
from analysis.judgemoe.diagnostics.gate_behaviour import judge_behaviour
from analysis.judgemoe.gates.forward import gate_weights
from analysis.judgemoe.metrics.calibration import ece, mae, reliability
from analysis.judgemoe.metrics.residuals import mean_residual_correlation, residual_correlations
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.selectors.decision import Decision, decide
from analysis.judgemoe.selectors.leave_one_out import leave_one_out
from analysis.judgemoe.selectors.rule import FAMILIES, Family, Signals
from analysis.judgemoe.selectors.singles import best_single
from analysis.judgemoe.selectors.subsets import MAX_JUDGES, best_candidate, search_subsets
from analysis.judgemoe.sources.long_csv import Scores
from analysis.judgemoe.splits import straddling
from analysis.judgemoe.statistics.clusters import Interval, bootstrap_metrics, interval
from analysis.judgemoe.studies.values import plain, with_interval

_METRICS = {"spearman": spearman, "mae": mae, "ece": ece}
_NO_PAIRS = "fewer than two judges share three items, or their errors are constant"


@dataclass(frozen=True, eq=False)
class Scored:
    """Held-out items that every method predicted, the predictions, and bootstrap draws of their scores."""

    found: OutOfFold
    cell: Cell
    predictions: dict[Method, Floats]
    draws: dict[str, dict[str, Floats]]


def analyse(
    scores: Scores, *, folds: int, seed: int, method: Method | None = None
) -> tuple[dict[str, Any], Fitted, Method]:
    """Compare the methods out of fold, advise, and fit the advised method (or ``method``) on all items.

    Where the file has splits with validation items, the advice is taken on these, by methods fitted on train, and the
    comparison is on test; otherwise both are on the out-of-fold predictions of all items.

    Returns the values, the fitted method and its name.
    """
    cell = scores.cell
    compared = _score(cell, held_out_part(cell) if scores.has_splits else fold_parts(cell, folds, seed), seed)
    selecting = validation_part(cell) if scores.has_splits else []
    decision = (
        _decision(cell.take(selecting[0][1]), _score(cell, selecting, seed))
        if selecting
        else _decision(cell, compared)
    )
    name: Method = method or _method_of(decision)
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
        "decision": {**asdict(decision), "deployed": name},
    }
    if values["residual_correlation"] is None:
        values["residual_correlation_reason"] = _NO_PAIRS
    return values, fitted, name


def _score(cell: Cell, parts: Sequence[Part], seed: int) -> Scored:
    found = out_of_fold(cell, parts, seed)
    kept = np.flatnonzero(np.isfinite(np.stack(list(found.predictions.values()))).all(axis=0))
    scored = cell.take(found.rows[kept])
    predictions = {name: values[kept] for name, values in found.predictions.items()}
    draws = bootstrap_metrics(
        {str(n): values for n, values in predictions.items()}, scored.targets, scored.clusters
    )
    return Scored(found, scored, predictions, draws)


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


def _decision(cell: Cell, scored: Scored) -> Decision:
    """The thresholded rule: signals of the pool on the cell's items, families by their held-out scores."""
    predictions, draws = scored.predictions, scored.draws
    single: Method = "soft_best_single" if "soft_best_single" in predictions else "hard_best_single"
    out = {name: spearman(values, scored.cell.targets) for name, values in predictions.items()}
    fixed: Method = max(("uniform_log", "cov_log"), key=lambda name: np.nan_to_num(out[name], nan=-np.inf))
    methods: dict[Family, Method] = {
        "single": single,
        "fixed": fixed,
        "full": "judgemoe",
        "sparse": "judgemoe_sparse",
    }
    nan = float("nan")
    scores = {family: out.get(methods[family], nan) for family in FAMILIES}
    lead = {family: _lead(draws, single, methods[family]).low for family in FAMILIES}
    signals = Signals(leave_one_out(cell).gain, mean_residual_correlation(cell), scores)
    searched = 3 <= len(cell.judges) <= MAX_JUDGES
    sparse = best_candidate(search_subsets(cell), min_size=2).active if searched else ()
    judge = best_single(cell, "soft" if single == "soft_best_single" else "hard")
    found = decide(signals, single=judge, fixed=fixed, sparse=sparse, lead=lead)
    return (
        found
        if found.choice != "single"
        else Decision("single", single, found.judges, found.reason, found.signals)
    )


def _lead(draws: Mapping[str, Mapping[str, Floats]], single: Method, other: Method) -> Interval:
    if other not in draws:
        return Interval(float("nan"), float("nan"), 0)
    return interval(draws[single]["spearman"] - draws[other]["spearman"])


def _method_of(decision: Decision) -> Method:
    if decision.choice == "sparse":
        return "judgemoe_sparse"
    return decision.method  # type: ignore[return-value]


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
