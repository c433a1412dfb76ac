"""Whether validation ranks candidates as test does (paper, Table 51)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.judgemoe.cell import Cell
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.selectors.subsets import Candidate, best_candidate


@dataclass(frozen=True)
class RankStability:
    """Agreement of candidates' validation and test scores, and how the selected one fares on test.

    ``test_rank`` is 1 for the best; candidates that tie with the selected one do not push it down.
    It is None where the selected one has no test score.
    """

    candidates: int
    correlation: float
    selected: Candidate
    selected_test: float
    test_rank: int | None


def candidate_tests(candidates: Sequence[Candidate], test: Cell) -> list[float]:
    """Test Spearman of each candidate."""
    return [spearman(candidate.pool.predict(test), test.targets) for candidate in candidates]


def rank_stability(candidates: Sequence[Candidate], tests: Sequence[float]) -> RankStability:
    """Rank agreement over candidates with both scores defined."""
    selected = best_candidate(candidates)
    score = tests[list(candidates).index(selected)]
    return RankStability(
        candidates=len(candidates),
        correlation=spearman(np.array([c.validation for c in candidates]), np.array(tests)),
        selected=selected,
        selected_test=score,
        test_rank=1 + sum(round(other, 10) > round(score, 10) for other in tests)
        if np.isfinite(score)
        else None,
    )
