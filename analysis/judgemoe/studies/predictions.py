"""Test predictions of every method of the main comparison on one cell."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from analysis.arrays import Bools, Floats
from analysis.judgemoe.cell import TEST, VALIDATION, Cell
from analysis.judgemoe.features import hard_scores, soft_scores
from analysis.judgemoe.gates.forward import gate_predict, gate_weights
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.pools.fixed import fit_pool
from analysis.judgemoe.selectors.singles import best_single
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.suite import PoolSuite
from raim.errors import InputError

#: Methods of the comparison. ``best_single`` is the strongest in the cell, by test labels, as the paper reports it;
#: ``valid_single`` is what validation labels would have chosen.
METHODS = (
    "hard_best_single",
    "best_single",
    "valid_single",
    "uniform_linear",
    "uniform_log",
    "cov_log",
    "judgemoe",
    "judgemoe_compact",
)


@dataclass(frozen=True, eq=False)
class TestPredictions:
    """Predictions on the test items; ``common`` marks the items on which every method has one.

    ``weights`` are the gate's, over all judges. ``singles`` names the judge behind each single-judge method.
    """

    test: Cell
    methods: dict[str, Floats]
    common: Bools
    weights: Floats
    singles: dict[str, str]


def predict_test(suite: PoolSuite, cell: Cell, gates: GateBook, compact: tuple[str, ...]) -> TestPredictions:
    """All methods of :data:`METHODS` on a cell's test split, each fitted on train and validation alone."""
    validation, test = cell.split(VALIDATION), cell.split(TEST)
    soft, hard = soft_scores(test), hard_scores(test)
    singles = {
        "hard_best_single": best_single(test, "hard"),
        "best_single": best_single(test),
        "valid_single": best_single(validation),
    }
    main = gates.gate(cell, suite.mainline)
    small = gates.gate(cell, suite.mainline, judges=compact)
    weights = gate_weights(main, test)
    methods = {
        "hard_best_single": hard[:, test.judges.index(singles["hard_best_single"])],
        "best_single": soft[:, test.judges.index(singles["best_single"])],
        "valid_single": soft[:, test.judges.index(singles["valid_single"])],
        "uniform_linear": fit_pool(validation, "uniform", "linear").predict(test),
        "uniform_log": fit_pool(validation, "uniform", "log").predict(test),
        "cov_log": fit_pool(validation, "cov", "log").predict(test),
        "judgemoe": gate_predict(main, test, weights),
        "judgemoe_compact": gate_predict(small, test),
    }
    common: Bools = np.asarray(np.isfinite(np.stack(list(methods.values()))).all(axis=0))
    return TestPredictions(test, methods, common, weights, singles)


def compact_pool(suite: PoolSuite) -> tuple[str, ...]:
    """The judges of the compact pool: chosen once, on the original cells, by validation (section 4.2).

    The paper picks its triple from protocol-study screening without a formula. Ours: the subset of
    ``suite.compact_size`` judges, of those in every cell, whose uniform log pool has the highest equal-cell mean
    validation Spearman.
    """
    validations = [cell.split(VALIDATION) for cell in suite.original]
    judges = tuple(j for j in validations[0].judges if all(j in part.judges for part in validations))
    if not judges:
        raise InputError(f"suite {suite.name}: no judge is in every cell; a compact pool needs some that are")
    if len(judges) <= suite.compact_size:
        return judges

    def merit(subset: tuple[str, ...]) -> float:
        parts = [validation.with_judges(subset) for validation in validations]
        scores = [spearman(fit_pool(part, "uniform", "log").predict(part), part.targets) for part in parts]
        return round(float(np.nanmean(scores)), 10)

    return max(combinations(judges, suite.compact_size), key=merit)
