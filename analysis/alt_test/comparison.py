"""Who represents the remaining annotators better, item by item: the judge or the annotator left out.

For annotator j and item x_i, ``W^f = 1`` where ``S(f, x_i, j) >= S(h_j, x_i, j)`` and ``W^h = 1`` where the reverse
holds; a tie gives both. The test is about ``d = W^h - W^f`` (section 3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.alt_test.annotations import EncodedTest, HumanPanel, JudgeCodes
from analysis.alt_test.labels import ABSTAINED_CODE, MISSING_CODE
from analysis.alt_test.scores.base import Alignment, Score
from analysis.arrays import Bools, Floats, Ints
from raim.errors import InputError

#: Scores this near, relative to their size, are a tie: sums in another order may differ in the last digits.
TIE_TOLERANCE: Final = 1e-12


@dataclass(frozen=True)
class Comparison:
    """One judge against one annotator.

    Attributes
    ----------
    annotator : index of the annotator left out
    rows : (n,) rows of the items compared: those that annotator j, the judge and enough others labelled
    judge_wins : (n,) W^f
    human_wins : (n,) W^h
    n_unjudged : items that would be compared, had the judge labelled them
    n_abstained : of ``rows``, those on which the judge abstained (it loses them unless the annotator did too)
    """

    annotator: int
    rows: Ints
    judge_wins: Bools
    human_wins: Bools
    n_unjudged: int
    n_abstained: int

    @property
    def d(self) -> Floats:
        """(n,) W^h - W^f: 1 the annotator is better, -1 the judge is, 0 a tie."""
        return self.human_wins.astype(np.float64) - self.judge_wins.astype(np.float64)


@dataclass(frozen=True)
class _Field:
    """The items on which annotator j can be compared, and how well j represents the others there."""

    annotator: int
    rows: Ints
    codes: Ints
    weights: Floats
    own_score: Floats


def compare(
    test: EncodedTest, score: Score, min_humans_per_item: int, quality: Floats | None = None
) -> dict[str, list[Comparison]]:
    """Compare every judge with every annotator.

    Parameters
    ----------
    test : encoded annotations
    score : alignment score
    min_humans_per_item : items with labels of fewer humans are left out (with a reference, 1 is enough)
    quality : (m,) positive quality Q_j of the annotators (D.3), or None for equal ones

    Returns
    -------
    For each judge its comparisons in the annotators' order.
    """
    if test.reference is None and min_humans_per_item < 2:
        raise InputError(
            "at least 2 humans an item are needed: one is left out, and the others are represented"
        )
    if min_humans_per_item < 1:
        raise InputError("at least 1 human an item is needed")
    align = score.prepare(test.humans.vocabulary)
    enough = test.humans.counts >= min_humans_per_item
    fields = [
        _field(test.humans, annotator, enough, test.reference, align, quality)
        for annotator in range(len(test.humans.annotators))
    ]
    return {
        name: [_compare(field, judge.against(field.annotator), align) for field in fields]
        for name, judge in test.judges.items()
    }


def unjudged_items(humans: HumanPanel, judges: Mapping[str, JudgeCodes]) -> int:
    """Number of items that humans labelled and no judge did."""
    judged = np.zeros(len(humans.items), dtype=bool)
    for judge in judges.values():
        for codes in [judge.shared] if judge.shared is not None else judge.by_annotator.values():
            judged |= codes != MISSING_CODE
    return int((~judged).sum())


def _field(
    humans: HumanPanel,
    annotator: int,
    enough: Bools,
    reference: Ints | None,
    align: Alignment,
    quality: Floats | None,
) -> _Field:
    rows, own = humans.own(annotator)
    keep = enough[rows] if reference is None else enough[rows] & (reference[rows] >= 0)
    rows, own = rows[keep], own[keep]
    if reference is None:
        codes, counted = humans.remaining(annotator, rows)
        weights = counted.astype(np.float64)
        if quality is not None:
            weights = weights * quality[humans.who[rows]]
        # Others who abstained leave nothing to be represented.
        represented = counted.any(axis=1)
        rows, own, codes, weights = (
            rows[represented],
            own[represented],
            codes[represented],
            weights[represented],
        )
    else:
        codes = reference[rows][:, None]
        weights = np.ones_like(codes, dtype=np.float64)
    # A slot that does not count has weight 0; its code must still be one.
    codes = np.where(weights > 0.0, codes, 0)
    return _Field(annotator, rows, codes, weights, _scores(align, own, codes, weights))


def _compare(field: _Field, judge: Ints, align: Alignment) -> Comparison:
    labels = judge[field.rows]
    judged = labels != MISSING_CODE
    rows, labels = field.rows[judged], labels[judged]
    scores = _scores(align, labels, field.codes[judged], field.weights[judged])
    own = field.own_score[judged]
    # An abstention scores minus infinity and must not make the tolerance infinite.
    sizes = np.abs(np.nan_to_num(np.stack([scores, own]), neginf=0.0)).max(axis=0)
    tolerance = TIE_TOLERANCE * np.maximum(1.0, sizes)
    return Comparison(
        annotator=field.annotator,
        rows=rows,
        judge_wins=scores >= own - tolerance,
        human_wins=own >= scores - tolerance,
        n_unjudged=int((~judged).sum()),
        n_abstained=int((labels == ABSTAINED_CODE).sum()),
    )


def _scores(align: Alignment, labels: Ints, codes: Ints, weights: Floats) -> Floats:
    scores = np.full(len(labels), -np.inf)
    given = labels >= 0
    if given.any():
        scores[given] = align(labels[given], codes[given], weights[given])
    return scores
