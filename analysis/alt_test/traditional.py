"""Traditional measures of a judge against the humans together, to stand beside the test (appendix C, Table 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.alt_test.agreement.correlation import pearson, spearman
from analysis.alt_test.annotations import EncodedTest
from analysis.alt_test.weighting import majority_shares


@dataclass(frozen=True)
class Traditional:
    """A judge against the humans' majority or mean.

    Attributes
    ----------
    n : items that both a human and the judge labelled
    n_abstained : of these, items on which the judge abstained: errors, and out of the correlations
    accuracy : share of items on which the judge gives the majority label; of tied labels each is the majority with
        equal chance. None without items
    pearson, spearman : correlation with the mean label; None where labels are not numbers or one side never varies
    """

    n: int
    n_abstained: int
    accuracy: float | None
    pearson: float | None
    spearman: float | None


def traditional(test: EncodedTest, judge: str) -> Traditional | None:
    """The measures of a judge; None for a judge made anew for each annotator, which has no one label an item."""
    codes = test.judges[judge].shared
    if codes is None:
        return None
    humans = test.humans
    given = humans.codes >= 0
    rows = np.flatnonzero(given.any(axis=1) & (codes != -1))
    if not len(rows):
        return Traditional(0, 0, None, None, None)
    labels, counted, answers = humans.codes[rows], given[rows], codes[rows]
    hits = (majority_shares(labels, counted) * (labels == answers[:, None])).sum(axis=1)
    answered = answers >= 0
    correlations: tuple[float | None, float | None] = (None, None)
    values = humans.vocabulary.values
    if values is not None and answered.any():
        means = np.where(counted, values[labels], 0.0).sum(axis=1) / counted.sum(axis=1)
        numbers = values[answers[answered]], means[answered]
        correlations = pearson(*numbers), spearman(*numbers)
    return Traditional(len(rows), int((~answered).sum()), float(hits.mean()), *correlations)
