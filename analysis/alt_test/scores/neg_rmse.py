"""Negative root mean squared error, on the labels or on each annotator's ranks."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from analysis.alt_test.labels import Vocabulary
from analysis.alt_test.scores.base import Alignment
from analysis.arrays import Floats, Ints


@dataclass(frozen=True)
class NegRMSE:
    """-RMSE of section 3 and appendix D.3: ``-sqrt(sum_k Q_k (f - h_k)^2 / sum_k Q_k)``.

    With ``on_ranks`` the labels are first replaced by ranks (:mod:`analysis.alt_test.scores.ranks`), for those who
    care about the order of items rather than their scores (appendix A).
    """

    on_ranks: bool = False
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", "rank" if self.on_ranks else "neg_rmse")

    def prepare(self, vocabulary: Vocabulary) -> Alignment:
        """Raises InputError where the labels are not numbers."""
        values = vocabulary.numbers(f"score {self.name}")

        def align(predicted: Ints, codes: Ints, weights: Floats) -> Floats:
            squared = (values[predicted][:, None] - values[codes]) ** 2
            scores: Floats = -np.sqrt((weights * squared).sum(axis=1) / weights.sum(axis=1))
            return scores

        return align
