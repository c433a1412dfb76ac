"""The methods that a user's file is compared on, each fitted on some items and applied to others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.features import hard_scores, soft_scores
from analysis.judgemoe.gates.forward import gate_distribution, gate_predict
from analysis.judgemoe.gates.parameters import Gate, Training
from analysis.judgemoe.gates.train import train_gate
from analysis.judgemoe.pools.fixed import FixedPool, fit_pool
from analysis.judgemoe.selectors.singles import Extraction, best_single
from analysis.judgemoe.selectors.subsets import MAX_JUDGES, best_candidate, search_subsets
from raim.errors import InputError

Method: TypeAlias = Literal[
    "hard_best_single",
    "soft_best_single",
    "uniform_linear",
    "uniform_log",
    "cov_log",
    "judgemoe",
    "judgemoe_sparse",
]


@dataclass(frozen=True)
class Single:
    """One judge, by its decoded or its expected score."""

    judge: str
    extraction: Extraction

    def predict(self, cell: Cell) -> Floats:
        """(n,) its scores, NaN where it is absent."""
        scores = soft_scores(cell) if self.extraction == "soft" else hard_scores(cell)
        chosen: Floats = scores[:, cell.judges.index(self.judge)]
        return chosen

    def distribution(self, cell: Cell) -> Floats:
        """(n, K) its own distributions, NaN rows where it is absent."""
        at = cell.judges.index(self.judge)
        return np.where(cell.present[:, at, None], cell.probabilities[:, at], np.nan)


@dataclass(frozen=True, eq=False)
class Gated:
    """A trained gate."""

    gate: Gate

    def predict(self, cell: Cell) -> Floats:
        """(n,) final scores, NaN where none of the gate's judges is present."""
        return gate_predict(self.gate, cell)

    def distribution(self, cell: Cell) -> Floats | None:
        """(n, K) pooled distributions; None for a gate that pools decoded scores."""
        return None if self.gate.training.pool == "hard" else gate_distribution(self.gate, cell)


Fitted: TypeAlias = Single | FixedPool | Gated


def mainline(cell: Cell, seed: int) -> Training:
    """The paper's gate; for decoded scores, the one that weighs those."""
    if cell.score_source == "decoded":
        return Training(features="distribution", pool="hard", seed=seed)
    return Training(seed=seed)


def fit(method: Method, cell: Cell, seed: int) -> Fitted:
    """Fit a method on all items of a cell.

    Raises
    ------
    InputError
        For a method that needs probabilities where there are decoded scores, for a gate without torch, and for a
        sparse gate with too few or too many judges to search.
    """
    makers: dict[Method, Callable[[], Fitted]] = {
        "hard_best_single": lambda: Single(best_single(cell, "hard"), "hard"),
        "soft_best_single": lambda: _soft_single(cell),
        "uniform_linear": lambda: fit_pool(cell, "uniform", "linear"),
        "uniform_log": lambda: fit_pool(cell, "uniform", "log"),
        "cov_log": lambda: fit_pool(cell, "cov", "log"),
        "judgemoe": lambda: Gated(train_gate(cell, mainline(cell, seed))),
        "judgemoe_sparse": lambda: _sparse(cell, seed),
    }
    return makers[method]()


def _soft_single(cell: Cell) -> Single:
    if cell.score_source == "decoded":
        raise InputError(
            "expected scores need probabilities (columns p_1..p_K), and the file has decoded scores only"
        )
    return Single(best_single(cell), "soft")


def _sparse(cell: Cell, seed: int) -> Gated:
    """The gate retrained on the judges of the best subset of the same items (section 6.3)."""
    return Gated(train_gate(cell.with_judges(sparse_judges(cell)), mainline(cell, seed)))


def sparse_judges(cell: Cell) -> tuple[str, ...]:
    """Judges of the subset of two or more whose fixed log pool is best on these items.

    Raises InputError for fewer than 3 judges or too many to search, and where no subset has a defined score.
    """
    if len(cell.judges) < 3 or len(cell.judges) > MAX_JUDGES:
        raise InputError(
            f"judge subsets are searched for 3 to {MAX_JUDGES} judges, the file has {len(cell.judges)}"
        )
    best = best_candidate(search_subsets(cell), min_size=2)
    if not np.isfinite(best.validation):
        raise InputError("no judge subset has a defined Spearman to be chosen by: predictions are constant")
    return best.active
