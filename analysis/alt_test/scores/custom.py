"""A user's own alignment score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis.alt_test.labels import Vocabulary
from analysis.alt_test.scores.base import Alignment
from analysis.alt_test.scores.similarity import finite_score
from analysis.arrays import Floats, Ints
from raim.errors import InputError


@dataclass(frozen=True)
class CustomScore:
    """``function(label, labels of the remaining annotators) -> float``, higher is better (appendix D.4).

    The labels come in the order of the annotators. The function is called once for each distinct situation and must
    depend on its arguments alone. It sees no weights: with annotators of different quality the score would ignore
    them, so that is an error.
    """

    function: Callable[[Any, list[Any]], float]
    name: str = field(default="custom", init=False)
    on_ranks: bool = field(default=False, init=False)

    def prepare(self, vocabulary: Vocabulary) -> Alignment:
        """The score; raises InputError when the function returns what is not a finite number, or weights differ."""
        known: dict[tuple[int, tuple[int, ...]], float] = {}

        def situation(predicted: int, codes: tuple[int, ...]) -> float:
            if (key := (predicted, codes)) not in known:
                label, others = vocabulary.labels[predicted], [vocabulary.labels[code] for code in codes]
                known[key] = finite_score(
                    self.function(label, others), f"the score of {label!r} against {others!r}"
                )
            return known[key]

        def align(predicted: Ints, codes: Ints, weights: Floats) -> Floats:
            counted = weights > 0
            if np.ptp(weights[counted]) > 0:
                raise InputError(
                    "a custom score sees no annotator quality: use quality in the winning rate alone"
                )
            return np.array(
                [
                    situation(int(label), tuple(row[mask].tolist()))
                    for label, row, mask in zip(predicted, codes, counted, strict=True)
                ],
                dtype=np.float64,
            )

        return align
