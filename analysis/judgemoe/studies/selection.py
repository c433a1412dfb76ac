"""Validation-guided deployment on every cell (paper, Tables 20 to 24, 51 and 53, Figure 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import TEST, VALIDATION, Cell
from analysis.judgemoe.diagnostics.rank_stability import candidate_tests, rank_stability
from analysis.judgemoe.features import soft_scores
from analysis.judgemoe.gates.forward import gate_predict
from analysis.judgemoe.metrics.residuals import mean_residual_correlation
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.pools.fixed import fit_pool
from analysis.judgemoe.selectors.decision import Leads, decide, family_leads
from analysis.judgemoe.selectors.leave_one_out import leave_one_out
from analysis.judgemoe.selectors.rule import FAMILIES, Family, Rule, Signals, best_family, leave_one_cell_out
from analysis.judgemoe.selectors.singles import best_single
from analysis.judgemoe.selectors.subsets import best_candidate, search_subsets
from analysis.judgemoe.statistics.cells import equal_cell_mean, sample_weighted_mean
from analysis.judgemoe.statistics.clusters import bootstrap_metrics
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.suite import PoolSuite
from analysis.judgemoe.studies.values import floats, plain


def select_cell(suite: PoolSuite, cell: Cell, gates: GateBook, compact: tuple[str, ...]) -> dict[str, Any]:
    """Signals, families, subsets, sparse repair and decision of one cell; test labels only score what was chosen."""
    validation, test = cell.split(VALIDATION), cell.split(TEST)
    candidates = search_subsets(validation)
    tests = candidate_tests(candidates, test)
    stability = rank_stability(candidates, tests)
    sparse = best_candidate(candidates, min_size=2)
    drops = leave_one_out(validation)
    single = best_single(validation)
    fixed = {w: fit_pool(validation, w, "log") for w in ("uniform", "cov")}
    fixed_validation = {
        w: spearman(pool.predict(validation), validation.targets) for w, pool in fixed.items()
    }
    weighting = max(
        fixed_validation, key=lambda w: round(float(np.nan_to_num(fixed_validation[w], nan=-np.inf)), 10)
    )
    full_gate = gates.gate(cell, suite.mainline)
    sparse_gate = gates.gate(cell, suite.mainline, judges=sparse.active)

    def of(part: Cell) -> dict[Family, Floats]:
        return {
            "single": soft_scores(part)[:, part.judges.index(single)],
            "fixed": fixed[weighting].predict(part),
            "full": gate_predict(full_gate, part),
            "sparse": gate_predict(sparse_gate, part),
        }

    predicted = of(validation)
    scores = {family: spearman(values, validation.targets) for family, values in predicted.items()}
    test_scores = {family: spearman(values, test.targets) for family, values in of(test).items()}
    signals = Signals(drops.gain, mean_residual_correlation(validation), scores)
    worst = drops.worst
    without = None if worst is None else _uniform_without(test, worst)
    return {
        "n": {"validation": len(validation.items), "test": len(test.items)},
        "residual_correlation": {
            "full": plain(mean_residual_correlation(cell)),
            "compact": plain(mean_residual_correlation(cell.with_judges(compact))),
            "validation": plain(signals.correlation),
        },
        "leave_one_out": {
            "full": plain(drops.full),
            "gains": {judge: plain(gain) for judge, gain in zip(drops.judges, drops.gains, strict=True)},
            "gain": plain(drops.gain),
            "worst": worst,
            "test_full": plain(_uniform(test)),
            "test_without_worst": None if without is None else plain(without),
        },
        "families": {
            "validation": {family: plain(value) for family, value in scores.items()},
            "test": {family: plain(value) for family, value in test_scores.items()},
            "single": single,
            "fixed": f"{weighting}_log",
            "sparse_judges": list(sparse.active),
        },
        "subset": {
            "candidates": stability.candidates,
            "rank_correlation": plain(stability.correlation),
            "judges": list(stability.selected.active),
            "kind": stability.selected.kind,
            "validation": plain(stability.selected.validation),
            "test": plain(stability.selected_test),
            "test_rank": stability.test_rank,
            "best_test": plain(float(np.nanmax(tests))) if np.isfinite(tests).any() else None,
        },
        "sparse_pool": {
            "judges": list(sparse.active),
            "kind": sparse.kind,
            "validation": plain(sparse.validation),
            "test": plain(tests[candidates.index(sparse)]),
        },
        "decision": asdict(
            decide(
                signals,
                single=single,
                fixed=f"{weighting}_log",
                sparse=sparse.active,
                leads=leads_on(predicted, validation),
            )
        ),
        "rule": Rule().choose(signals),
    }


def leads_on(predicted: Mapping[Family, Floats], part: Cell) -> Leads:
    """Leads of the families over each other on the items of a part that all of them predict, over its clusters."""
    kept = np.flatnonzero(np.isfinite(np.stack(list(predicted.values()))).all(axis=0))
    draws = bootstrap_metrics(
        {family: values[kept] for family, values in predicted.items()},
        part.targets[kept],
        part.clusters[kept],
    )
    return family_leads({family: draws[family]["spearman"] for family in FAMILIES})


def _uniform(part: Cell) -> float:
    return spearman(fit_pool(part, "uniform", "log").predict(part), part.targets)


def _uniform_without(part: Cell, judge: str) -> float:
    return _uniform(part.with_judges([name for name in part.judges if name != judge]))


def strategies(suite: PoolSuite, cells: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Tables 21 to 23 over the original cells: what each strategy, choosing by validation, reaches on test."""
    names = [cell.name for cell in suite.original]
    found = [cells[name] for name in names]
    sizes = np.array([float(cell["n"]["test"]) for cell in found])
    signals = [_signals(cell) for cell in found]
    test = [_families(cell, "test") for cell in found]
    held_out = leave_one_cell_out(signals, test) if len(names) > 1 else []
    by_validation = [best_family(signal.validation) for signal in signals]
    by_test = [best_family(scores) for scores in test]
    subset_validation = floats([cell["subset"]["validation"] for cell in found])
    subset_test = floats([cell["subset"]["test"] for cell in found])
    # Table 23 offers the fixed subset in place of the retrained one.
    with_subset = [_subset_family(s, v) for s, v in zip(signals, subset_validation, strict=True)]
    ceiling = [
        max(_defined([*_without_sparse(t), s]), default=float("nan"))
        for t, s in zip(test, subset_test, strict=True)
    ]
    columns: dict[str, list[float]] = {
        f"always_{family}": [scores[family] for scores in test] for family in FAMILIES
    }
    columns["family_by_validation"] = _picked(test, by_validation)
    columns["rule"] = _picked(
        test, [rule.choose(signal) for rule, signal in zip([Rule()] * len(found), signals, strict=True)]
    )
    columns["leave_one_cell_out"] = _picked(test, [family for _, family in held_out])
    columns["family_by_test"] = _picked(test, by_test)
    columns["subset_fixed"] = subset_test
    columns["family_with_subset"] = [
        s if pick == "subset" else t[pick] for pick, t, s in zip(with_subset, test, subset_test, strict=True)
    ]
    columns["family_with_subset_by_test"] = ceiling
    return {
        "folds": [
            {"cell": name, "best": best, "selected": family, "correct": best == family, "rule": asdict(rule)}
            for name, best, (rule, family) in zip(names, by_test, held_out, strict=False)
        ],
        "strategies": {
            name: {
                "mean": plain(equal_cell_mean(np.array(values))),
                "weighted": plain(sample_weighted_mean(np.array(values), sizes)),
                "cells": len(values),
            }
            for name, values in columns.items()
            if values
        },
        "mean_subset_size": float(np.mean([len(cell["subset"]["judges"]) for cell in found])),
    }


def _signals(cell: Mapping[str, Any]) -> Signals:
    gain, correlation = floats([cell["leave_one_out"]["gain"], cell["residual_correlation"]["validation"]])
    return Signals(gain, correlation, _families(cell, "validation"))


def _families(cell: Mapping[str, Any], split: str) -> dict[Family, float]:
    values = cell["families"][split]
    return {family: floats([values[family]])[0] for family in FAMILIES}


def _without_sparse(scores: Mapping[Family, float]) -> list[float]:
    return [scores[family] for family in FAMILIES if family != "sparse"]


def _defined(values: Sequence[float]) -> list[float]:
    return [value for value in values if np.isfinite(value)]


def _subset_family(signals: Signals, subset: float) -> Any:
    options: dict[Any, float] = {f: signals.validation[f] for f in ("single", "fixed", "full")}
    options["subset"] = subset
    return max(options, key=lambda name: round(float(np.nan_to_num(options[name], nan=-np.inf)), 10))


def _picked(test: Sequence[Mapping[Family, float]], families: Sequence[Family]) -> list[float]:
    return [scores[family] for scores, family in zip(test, families, strict=False)]
