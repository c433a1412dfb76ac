"""The thresholded deployment rule and its leave-one-cell-out sweep (paper, Tables 21, 22 and 24)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

Family: TypeAlias = Literal["single", "fixed", "full", "sparse"]
FAMILIES: tuple[Family, ...] = ("single", "fixed", "full", "sparse")

#: The coarse grid of the sweep. The paper names its three thresholds and the values it found, not its grid.
GAIN_GRID = (0.02, 0.05, 0.08, 0.11, 0.14, 0.17, 0.20)
CORRELATION_GRID = (0.3, 0.5, 0.7, 0.9)
MARGIN_GRID = (-0.02, 0.0, 0.02)


@dataclass(frozen=True)
class Signals:
    """What validation says about a cell: the leave-one-out gain of the uniform log pool, the mean residual correlation
    of the judges, and the validation Spearman of each family."""

    gain: float
    correlation: float
    validation: Mapping[Family, float]

    @property
    def margin(self) -> float:
        """Validation Spearman of the fixed pool less that of full JudgeMoE."""
        return self.validation["fixed"] - self.validation["full"]


@dataclass(frozen=True)
class Rule:
    """Sparse where the leave-one-out gain reaches ``gain``; else fixed where the residual correlation reaches
    ``correlation`` and the fixed pool is ahead of full JudgeMoE by ``margin`` or more; else full.

    The defaults are the selector that all eight folds of Table 21 recover.
    """

    gain: float = 0.14
    correlation: float = 0.5
    margin: float = 0.0

    def choose(self, signals: Signals) -> Family:
        """The family for a cell. An undefined signal never fires its threshold."""
        if signals.gain >= self.gain:
            return "sparse"
        if signals.correlation >= self.correlation and signals.margin >= self.margin:
            return "fixed"
        return "full"


def best_family(scores: Mapping[Family, float]) -> Family:
    """Family of the highest defined score, the first of :data:`FAMILIES` among equals."""
    return max(FAMILIES, key=lambda family: np.nan_to_num(scores[family], nan=-np.inf))


def fit_rule(signals: Sequence[Signals], test: Sequence[Mapping[Family, float]]) -> Rule:
    """The rule of the grid that picks the best test family of most cells; among equals the highest mean test score,
    then the first of the grid."""
    rules = [Rule(*point) for point in itertools.product(GAIN_GRID, CORRELATION_GRID, MARGIN_GRID)]
    best = [best_family(scores) for scores in test]

    def merit(rule: Rule) -> tuple[int, float]:
        chosen = [rule.choose(signal) for signal in signals]
        hits = sum(family == right for family, right in zip(chosen, best, strict=True))
        reached = np.array([scores[family] for family, scores in zip(chosen, test, strict=True)])
        defined = reached[np.isfinite(reached)]
        # A rule that reaches no defined score is the worst of its hits: NaN would compare with nothing.
        return hits, round(float(defined.mean()), 10) if len(defined) else -np.inf

    return max(rules, key=merit)


def leave_one_cell_out(
    signals: Sequence[Signals], test: Sequence[Mapping[Family, float]]
) -> list[tuple[Rule, Family]]:
    """Per cell: the rule fitted on the other cells, and the family it picks for this one."""
    out = []
    for held in range(len(signals)):
        others = [i for i in range(len(signals)) if i != held]
        rule = fit_rule([signals[i] for i in others], [test[i] for i in others])
        out.append((rule, rule.choose(signals[held])))
    return out
