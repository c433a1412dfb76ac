"""What an alignment score S(f, x_i, j) is: how well one label stands for the labels of the remaining annotators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

from analysis.alt_test.labels import Vocabulary
from analysis.arrays import Floats, Ints

#: ``(predicted (r,), codes (r, s), weights (r, s)) -> scores (r,)``, higher is better. ``codes`` are the labels of the
#: annotators of each item, ``weights`` their quality, 0 for slots that are not to be counted (their code is 0).
Alignment: TypeAlias = Callable[[Ints, Ints, Floats], Floats]


@runtime_checkable
class Score(Protocol):
    """An alignment score."""

    @property
    def name(self) -> str:
        """Name in reports."""
        ...

    @property
    def on_ranks(self) -> bool:
        """Whether annotations are replaced by each annotator's ranks first."""
        ...

    def prepare(self, vocabulary: Vocabulary) -> Alignment:
        """The score over the codes of a vocabulary. Raises InputError where the labels do not suit it."""
        ...
