"""Item weights: inverse probability of the majority label (D.1), and attention to minority labels (D.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from analysis.alt_test.labels import Vocabulary
from analysis.arrays import Bools, Floats, Ints
from raim.errors import InputError


class Weighting(Protocol):
    """Weights of the items on which an annotator is compared."""

    @property
    def name(self) -> str:
        """Name in reports."""
        ...

    def weights(self, codes: Ints, counted: Bools, vocabulary: Vocabulary) -> Floats:
        """(n,) positive weights from the remaining annotators' labels: (n, s) codes, and which of them count."""
        ...


def majority_shares(codes: Ints, counted: Bools) -> Floats:
    """(n, s) the part that each label has in its item's majority vote; rows sum to 1.

    Where several labels are tied for the majority, each of them has an equal part: the expectation of the random
    draw of appendix E, without its dependence on a seed and on the order of items.
    """
    same = (codes[:, :, None] == codes[:, None, :]) & counted[:, :, None] & counted[:, None, :]
    votes = same.sum(axis=2)
    modal = counted & (votes == votes.max(axis=1, keepdims=True))
    shares: Floats = modal / modal.sum(axis=1, keepdims=True)
    return shares


@dataclass(frozen=True)
class InverseProbability:
    """Weight ``pi_y = |I_j| / #{i in I_j : MV_j(x_i) = y}`` of the item's majority label y (D.1).

    The majority is that of the annotators who are not under test, or the single expert's label. An item whose
    majority is tied counts in part for each tied label and has the mean of their weights.
    """

    name: str = field(default="inverse_probability", init=False)

    def weights(self, codes: Ints, counted: Bools, vocabulary: Vocabulary) -> Floats:
        """(n,) weights; every class has the same total, up to tied items."""
        shares = majority_shares(codes, counted)
        used = np.where(counted, codes, 0)
        of_class = np.bincount(used.ravel(), weights=shares.ravel(), minlength=len(vocabulary))
        inverse = np.divide(len(codes), of_class, out=np.zeros_like(of_class), where=of_class > 0)
        weights: Floats = (shares * inverse[used]).sum(axis=1)
        return weights


@dataclass(frozen=True)
class MinorityLabels:
    """More weight to items where at least one remaining annotator gave one of ``labels`` (D.4, first option).

    Parameters
    ----------
    labels : the labels whose every mention matters, such as "offensive"
    factor : weight of those items; the others have weight 1
    """

    labels: tuple[Any, ...]
    factor: float
    name: str = field(default="minority_labels", init=False)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.factor) and self.factor > 0):
            raise InputError(f"the factor of minority labels must be positive, not {self.factor!r}")

    def weights(self, codes: Ints, counted: Bools, vocabulary: Vocabulary) -> Floats:
        """(n,) weights. Raises InputError where nobody gave one of the labels."""
        unknown = [label for label in self.labels if label not in vocabulary.labels]
        if unknown:
            raise InputError(
                f"nobody gave the label {unknown[0]!r}; the labels are {list(vocabulary.labels)}"
            )
        wanted = [vocabulary.labels.index(label) for label in self.labels]
        flagged = (np.isin(codes, wanted) & counted).any(axis=1)
        return np.where(flagged, self.factor, 1.0)
