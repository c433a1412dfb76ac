"""Heterogeneous experts: added, repaired, rejected or left standalone (paper, Tables 3, 34, 35 and 37)."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import TEST, VALIDATION, Cell
from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.gates.forward import gate_predict, gate_weights
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.pools.fixed import fit_pool
from analysis.judgemoe.selectors.experts import ExpertScores, decide
from analysis.judgemoe.selectors.singles import best_single, judge_spearmans
from analysis.judgemoe.selectors.subsets import best_candidate, search_subsets
from analysis.judgemoe.statistics.clusters import bootstrap_metrics, interval, two_sided_p
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.suite import FollowUp, PoolSuite
from analysis.judgemoe.studies.values import plain, with_interval


def follow_up(suite: PoolSuite, study: FollowUp, gates: GateBook) -> dict[str, Any]:
    """One expert: validation scores of the four deployments, the decision, and every test number.

    The repaired pool is the best subset of the pool with the expert, of two or more, by validation; its gate is
    retrained.
    """
    cell = study.cell
    validation, test = cell.split(VALIDATION), cell.split(TEST)
    repaired_judges = best_candidate(search_subsets(validation), min_size=2).active
    trained = {
        "homogeneous": gates.gate(cell, suite.mainline, judges=study.base),
        "heterogeneous": gates.gate(cell, suite.mainline),
        "repaired": gates.gate(cell, suite.mainline, judges=repaired_judges),
    }

    def of(part: Cell) -> dict[str, Floats]:
        scores = {name: gate_predict(gate, part) for name, gate in trained.items()}
        scores["standalone"] = soft_scores(part)[:, part.judges.index(study.expert)]
        return scores

    by_validation = {name: spearman(values, validation.targets) for name, values in of(validation).items()}
    decision = decide(ExpertScores(**by_validation))
    predictions = of(test)
    base_validation, base_test = validation.with_judges(study.base), test.with_judges(study.base)
    pools = {
        "uniform_log": (fit_pool(base_validation, "uniform", "log"), fit_pool(validation, "uniform", "log")),
        "cov_log": (fit_pool(base_validation, "cov", "log"), fit_pool(validation, "cov", "log")),
    }
    best = best_single(test)
    predictions["best_single"] = soft_scores(test)[:, test.judges.index(best)]
    predictions["uniform_log"] = pools["uniform_log"][1].predict(test)
    deployed = {
        "keep expert": "heterogeneous",
        "repair pool": "repaired",
        "keep LLM pool": "homogeneous",
        "use standalone": "standalone",
    }[decision]
    return {
        "expert": study.expert,
        "base": list(study.base),
        "repaired_judges": list(repaired_judges),
        "decision": decision,
        "validation": {name: plain(value) for name, value in by_validation.items()},
        "test": {
            "n": len(test.items),
            **{name: plain(spearman(predictions[name], test.targets)) for name in (*trained, "standalone")},
            "deployed": plain(spearman(predictions[deployed], test.targets)),
            "base_best_single": plain(_top(base_test)),
            "best_single": plain(spearman(predictions["best_single"], test.targets)),
            "best_judge": best,
            **{
                f"base_{name}": plain(spearman(p[0].predict(test), test.targets)) for name, p in pools.items()
            },
            **{
                f"with_{name}": plain(spearman(p[1].predict(test), test.targets)) for name, p in pools.items()
            },
        },
        "differences": _differences(test, predictions),
        "expert_role": _role(study, test, gate_weights(trained["heterogeneous"], test), predictions),
    }


def _top(cell: Cell) -> float:
    scores = judge_spearmans(cell)
    return float(np.nanmax(scores)) if np.isfinite(scores).any() else float("nan")


def _differences(test: Cell, predictions: dict[str, Floats]) -> dict[str, Any]:
    """Table 34: the pool with the expert against the best single judge, uniform log and the pool without it."""
    names = ("heterogeneous", "best_single", "uniform_log", "homogeneous")
    both = np.isfinite(np.stack([predictions[name] for name in names])).all(axis=0)
    kept = np.flatnonzero(both)
    targets = test.targets[kept]
    chosen = {name: predictions[name][kept] for name in names}
    draws = bootstrap_metrics(chosen, targets, test.clusters[kept])
    left = spearman(chosen["heterogeneous"], targets)
    out = {}
    for name in names[1:]:
        right = spearman(chosen[name], targets)
        gap = draws["heterogeneous"]["spearman"] - draws[name]["spearman"]
        out[name] = {
            "left": plain(left),
            "right": plain(right),
            **with_interval(left - right, len(kept), interval(gap)),
            "p_value": plain(two_sided_p(gap)),
        }
    return out


def _role(study: FollowUp, test: Cell, weights: Floats, predictions: dict[str, Floats]) -> dict[str, Any]:
    """Table 37: how much closer the pool with the expert is, and how often the expert has the highest weight."""
    error = {
        name: np.abs(predictions[name] - test.targets)
        for name in ("heterogeneous", "homogeneous", "best_single")
    }
    return {
        "closer_than_homogeneous": plain(float(np.nanmean(error["homogeneous"] - error["heterogeneous"]))),
        "closer_than_single": plain(float(np.nanmean(error["best_single"] - error["heterogeneous"]))),
        "top_gate_rate": float((weights.argmax(axis=1) == test.judges.index(study.expert)).mean()),
    }
