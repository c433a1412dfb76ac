"""Pairs of annotators and the items both labelled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.alt_test.annotations import HumanPanel
from analysis.arrays import Ints


@dataclass(frozen=True)
class JointLabels:
    """Two annotators' codes on the n items both labelled: (n,) each."""

    first: str
    second: str
    a: Ints
    b: Ints

    @property
    def n(self) -> int:
        """Number of joint items."""
        return len(self.a)


def joint_labels(panel: HumanPanel) -> Iterator[JointLabels]:
    """Every pair with a joint item, by position; grouped in one pass, so that sparse crowds stay cheap."""
    n_slots = panel.who.shape[1]
    left, right = np.triu_indices(n_slots, k=1)
    who_a, who_b = panel.who[:, left], panel.who[:, right]
    code_a, code_b = panel.codes[:, left], panel.codes[:, right]
    both = (code_a >= 0) & (code_b >= 0)
    # Slots follow the annotators' order, so that who_a < who_b wherever both are used.
    pair = who_a[both] * len(panel.annotators) + who_b[both]
    order = np.argsort(pair, kind="stable")
    a, b, pair = code_a[both][order], code_b[both][order], pair[order]
    names, starts, counts = np.unique(pair, return_index=True, return_counts=True)
    for name, start, end in zip(names.tolist(), starts, starts + counts, strict=True):
        first, second = divmod(name, len(panel.annotators))
        yield JointLabels(panel.annotators[first], panel.annotators[second], a[start:end], b[start:end])
