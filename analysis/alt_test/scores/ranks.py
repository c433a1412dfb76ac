"""Ranks in place of scores (appendix A, "What if I care about ranking rather than exact scores?")."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from scipy.stats import rankdata

from analysis.alt_test.annotations import Annotations, Judge, Labels, LeaveOneOutJudge
from analysis.alt_test.labels import ABSTAINED, is_missing
from raim.errors import InputError


def rank_labels(labels: Labels, items: frozenset[Hashable], source: str) -> dict[Any, Any]:
    """Each item's rank among the annotator's labels on ``items``, divided by their number.

    The lowest score has the lowest rank, ties share their mean rank. Annotators who labelled the same items divide by
    the same number, so that nothing compares differently than with the paper's ranks; one who labelled fewer is put
    on the same scale. Abstentions stay what they are. Raises InputError where a label is not a number.
    """
    kept = {item: label for item, label in labels.items() if item in items and not is_missing(label)}
    numbers = {item: label for item, label in kept.items() if label is not ABSTAINED}
    for item, label in numbers.items():
        if isinstance(label, bool | str) or not isinstance(label, int | float | np.number):
            raise InputError(f"score rank needs numbers, and {source} gave {label!r} on {item!r}")
    ranks = rankdata(np.array(list(numbers.values()), dtype=np.float64)) / max(len(numbers), 1)
    return {**kept, **dict(zip(numbers, ranks.tolist(), strict=True))}


def rank_annotations(
    humans: Annotations, judges: Mapping[str, Judge], reference: Labels | None
) -> tuple[Annotations, Mapping[str, Judge], Labels | None]:
    """Every annotator's, judge's and the reference's labels as ranks over the items that a human labelled."""
    items = frozenset(item for labels in humans.values() for item in labels)

    def ranked(labels: Labels, source: str) -> dict[Any, Any]:
        return rank_labels(labels, items, source)

    return (
        {name: ranked(labels, f"annotator {name!r}") for name, labels in humans.items()},
        {
            name: LeaveOneOutJudge(
                {left: ranked(part, f"judge {name!r}") for left, part in judge.labels.items()}
            )
            if isinstance(judge, LeaveOneOutJudge)
            else ranked(judge, f"judge {name!r}")
            for name, judge in judges.items()
        },
        None if reference is None else ranked(reference, "the reference"),
    )
