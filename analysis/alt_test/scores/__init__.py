"""Alignment scores S(f, x_i, j), one a module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from analysis.alt_test.scores.accuracy import Accuracy
from analysis.alt_test.scores.base import Alignment, Score
from analysis.alt_test.scores.custom import CustomScore
from analysis.alt_test.scores.neg_rmse import NegRMSE
from analysis.alt_test.scores.similarity import EmbeddingSimilarity, Similarity
from raim.errors import InputError

#: The scores that need nothing but their name.
NAMED: dict[str, Score] = {"accuracy": Accuracy(), "neg_rmse": NegRMSE(), "rank": NegRMSE(on_ranks=True)}

#: A name of :data:`NAMED`, a score, or a user's ``function(label, remaining labels) -> float``.
ScoreLike: TypeAlias = str | Score | Callable[[Any, list[Any]], float]


def resolve_score(score: ScoreLike) -> Score:
    """The score meant. Raises InputError on an unknown name."""
    if isinstance(score, str):
        if score not in NAMED:
            raise InputError(f"unknown score {score!r}; the named scores are {', '.join(NAMED)}")
        return NAMED[score]
    if isinstance(score, Score):
        return score
    return CustomScore(score)


__all__ = [
    "NAMED",
    "Accuracy",
    "Alignment",
    "CustomScore",
    "EmbeddingSimilarity",
    "NegRMSE",
    "Score",
    "ScoreLike",
    "Similarity",
    "resolve_score",
]
