"""Lexical overlap as a heterogeneous expert: a number that no judge gave."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.cell import TRAIN
from analysis.judgemoe.selectors.experts import scalar_as_distribution

_WORD = re.compile(r"[a-z0-9]+")


def overlap(candidate: str, source: str) -> float:
    """Share of the candidate's words, with multiplicity, that the source has too; 0 for a candidate without words."""
    words, known = Counter(_WORD.findall(candidate.lower())), Counter(_WORD.findall(source.lower()))
    total = sum(words.values())
    return sum((words & known).values()) / total if total else 0.0


def percentile_distributions(scores: Floats, splits: Ints, labels: Floats) -> Floats:
    """(n, K) a number without a scale as distributions over the labels: its percentile among the training items.

    The human scale is never looked at. Equal scores share the middle of their percentiles.
    """
    train = np.sort(scores[splits == TRAIN])
    below = np.searchsorted(train, scores, side="left")
    up_to = np.searchsorted(train, scores, side="right")
    return scalar_as_distribution((below + up_to) / (2.0 * len(train)), labels)
