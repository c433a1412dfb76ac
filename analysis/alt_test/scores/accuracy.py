"""Accuracy: the share of the remaining annotators who gave the same label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis.alt_test.labels import Vocabulary
from analysis.alt_test.scores.base import Alignment
from analysis.arrays import Floats, Ints
from raim.errors import InputError


@dataclass(frozen=True)
class Accuracy:
    """ACC of section 3 and appendix D.3: ``sum_k Q_k 1{f = h_k} / sum_k Q_k``.

    Parameters
    ----------
    label_weights : weight of an annotator's vote by the label voted for, 1 where a label is not named (appendix D.4:
        "giving more weight to specific hate speech labels"). A judge that finds what one sensitive annotator flagged
        then gains more than one that repeats the majority.
    """

    label_weights: Mapping[Any, float] = field(default_factory=dict)
    on_ranks: bool = field(default=False, init=False)

    @property
    def name(self) -> str:
        """Name in reports."""
        return "label_weighted_accuracy" if self.label_weights else "accuracy"

    def prepare(self, vocabulary: Vocabulary) -> Alignment:
        """Raises InputError where a weight is not positive or is of a label that nobody gave."""
        by_code = np.ones(len(vocabulary))
        for label, weight in self.label_weights.items():
            if label not in vocabulary.labels:
                raise InputError(
                    f"label {label!r} has a weight and nobody gave it; the labels are {list(vocabulary.labels)}"
                )
            if not (np.isfinite(weight) and weight > 0):
                raise InputError(f"the weight of label {label!r} must be positive, not {weight!r}")
            by_code[vocabulary.labels.index(label)] = weight

        def align(predicted: Ints, codes: Ints, weights: Floats) -> Floats:
            votes = weights * by_code[codes]
            share: Floats = (votes * (codes == predicted[:, None])).sum(axis=1) / votes.sum(axis=1)
            return share

        return align
