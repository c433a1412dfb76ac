"""Similarity: the mean similarity to the labels of the remaining annotators, by a function or by embeddings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from analysis.alt_test.labels import Vocabulary
from analysis.alt_test.scores.base import Alignment
from analysis.arrays import Floats, Ints
from raim.errors import InputError


@dataclass(frozen=True)
class Similarity:
    """SIM of section 3 and appendix D.3: ``sum_k Q_k sim(f, h_k) / sum_k Q_k``.

    Parameters
    ----------
    function : ``sim(label, annotator's label) -> float``; called once for each pair of labels that meets, not for
        each pair of annotations, and not assumed symmetric
    """

    function: Callable[[Any, Any], float]
    name: str = field(default="similarity", init=False)
    on_ranks: bool = field(default=False, init=False)

    def prepare(self, vocabulary: Vocabulary) -> Alignment:
        """The score; raises InputError when the function returns what is not a finite number."""
        known: dict[tuple[int, int], float] = {}

        def similarity(predicted: int, code: int) -> float:
            if (pair := (predicted, code)) not in known:
                labels = vocabulary.labels[predicted], vocabulary.labels[code]
                known[pair] = finite_score(
                    self.function(*labels), f"the similarity of {labels[0]!r} and {labels[1]!r}"
                )
            return known[pair]

        def similarities(predicted: Ints, codes: Ints) -> Floats:
            return np.array(
                [similarity(a, b) for a, b in zip(predicted.tolist(), codes.tolist(), strict=True)]
            )

        def align(predicted: Ints, codes: Ints, weights: Floats) -> Floats:
            return _weighted_mean(similarities, len(vocabulary), predicted, codes, weights)

        return align


@dataclass(frozen=True)
class EmbeddingSimilarity:
    """SIM with the cosine of the labels' embeddings.

    Parameters
    ----------
    embeddings : label to vector, all of one length; every label that anyone gave must have one, not all zeros
    """

    embeddings: Mapping[Any, Sequence[float] | Floats]
    name: str = field(default="embedding_similarity", init=False)
    on_ranks: bool = field(default=False, init=False)

    def prepare(self, vocabulary: Vocabulary) -> Alignment:
        """Raises InputError on a label without a vector, unequal lengths, or a vector without a direction."""
        lacking = [label for label in vocabulary.labels if label not in self.embeddings]
        if lacking:
            raise InputError(
                f"{len(lacking)} labels have no embedding, such as {lacking[0]!r}; add their vectors"
            )
        rows = [np.asarray(self.embeddings[label], dtype=np.float64) for label in vocabulary.labels]
        if len({row.shape for row in rows}) != 1 or rows[0].ndim != 1:
            raise InputError("embeddings must be vectors of one length")
        matrix = np.stack(rows)
        norms = np.linalg.norm(matrix, axis=1)
        if not np.isfinite(matrix).all() or not norms.all():
            bad = vocabulary.labels[int(np.argmin(np.where(np.isfinite(norms), norms, -1.0)))]
            raise InputError(f"the embedding of {bad!r} has no direction (zeros or non-finite numbers)")
        unit = matrix / norms[:, None]

        def cosines(predicted: Ints, codes: Ints) -> Floats:
            found: Floats = np.einsum("ij,ij->i", unit[predicted], unit[codes])
            return found

        def align(predicted: Ints, codes: Ints, weights: Floats) -> Floats:
            return _weighted_mean(cosines, len(vocabulary), predicted, codes, weights)

        return align


def finite_score(value: Any, what: str) -> float:
    """The value as a float; raises InputError where a user's function did not return a finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not np.isfinite(number):
        raise InputError(f"{what} must be a finite number, and the function returned {value!r}")
    return number


def _weighted_mean(
    similarities: Callable[[Ints, Ints], Floats], n_labels: int, predicted: Ints, codes: Ints, weights: Floats
) -> Floats:
    """Mean similarity over the counted labels; ``similarities`` sees each pair of codes once."""
    rows, slots = np.nonzero(weights)
    pairs, inverse = np.unique(predicted[rows] * n_labels + codes[rows, slots], return_inverse=True)
    scores = np.zeros_like(weights)
    scores[rows, slots] = similarities(pairs // n_labels, pairs % n_labels)[inverse]
    mean: Floats = (weights * scores).sum(axis=1) / weights.sum(axis=1)
    return mean
