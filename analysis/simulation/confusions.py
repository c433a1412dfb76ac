"""Confusion tables that a judge's published scores allow.

A kappa at full precision is a fraction of whole numbers. Together with the number of committed items, and with counts
where they are published, it leaves one table or a few; a judge that commits on every item of two equal classes is the
exception, whose kappa fixes the sum of its recalls and nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats
from analysis.simulation.targets import Scores

#: Two kappas of tables this small that differ at all differ by more.
_SAME = 1e-12


@dataclass(frozen=True)
class Table:
    """Committed items by gold and verdict."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def miss_rate(self) -> float:
        """Share of errors on hallucinated items."""
        return self.fn / max(1, self.tp + self.fn)

    @property
    def false_alarm_rate(self) -> float:
        """Share of errors on supported items."""
        return self.fp / max(1, self.fp + self.tn)

    @property
    def bias(self) -> float:
        """Miss rate minus false-alarm rate: positive for a judge that leans to supported."""
        return self.miss_rate - self.false_alarm_rate

    def mirrored(self) -> Table:
        """The table with both labels exchanged: the same kappa, the opposite bias."""
        return Table(tp=self.tn, fp=self.fn, fn=self.fp, tn=self.tp)


def with_equal_recalls(table: Table) -> Table:
    """The table with the same committed items and, to the nearest item, the same sum of recalls, shared equally."""
    recall = 1 - (table.miss_rate + table.false_alarm_rate) / 2
    tp, tn = round(recall * (table.tp + table.fn)), round(recall * (table.fp + table.tn))
    return Table(tp, table.fp + table.tn - tn, table.tp + table.fn - tp, tn)


def is_free(scores: Scores, class_sizes: tuple[int, int]) -> bool:
    """Whether the scores fix the sum of the recalls alone: all items committed, equal classes, no counts."""
    counts = (scores.true_positives, scores.false_positives, scores.true_negatives)
    supported, hallucinated = class_sizes
    full = scores.committed == supported + hallucinated
    return full and supported == hallucinated and all(count is None for count in counts)


def admissible(scores: Scores, class_sizes: tuple[int, int]) -> list[Table]:
    """All tables with the published kappa and counts, by committed hallucinated items, then by true positives.

    ``class_sizes`` holds the items of gold 0 and of gold 1.
    """
    supported, hallucinated = class_sizes
    found = []
    # A kappa needs committed items of both classes.
    for positives in range(max(1, scores.committed - supported), min(hallucinated, scores.committed - 1) + 1):
        negatives = scores.committed - positives
        tp = np.arange(positives + 1, dtype=np.float64)
        if scores.true_positives is not None:
            tp = tp[tp == scores.true_positives]
        fp = _false_positives(scores.kappa, tp, positives, negatives)
        good = (fp >= 0) & (fp <= negatives)
        good &= np.abs(_kappa(tp, fp, positives, negatives) - scores.kappa) < _SAME
        if scores.false_positives is not None:
            good &= fp == scores.false_positives
        if scores.true_negatives is not None:
            good &= negatives - fp == scores.true_negatives
        for hits, alarms in zip(tp[good].astype(int), fp[good].astype(int), strict=True):
            found.append(Table(int(hits), int(alarms), positives - int(hits), negatives - int(alarms)))
    return found


def balanced(kappa: float, bias: float, class_size: int) -> Table:
    """The table of a judge that commits on all items of two classes of ``class_size``, nearest to a kappa and a bias.

    The kappa is met to half of ``1 / class_size``, exactly where it is a multiple of that.
    """
    net = round(kappa * class_size)
    hits = round(class_size * (1 + kappa - bias) / 2)
    hits = min(max(hits, net, 0), class_size, class_size + net)
    return Table(hits, hits - net, class_size - hits, class_size - hits + net)


def _false_positives(kappa: float, tp: Floats, positives: int, negatives: int) -> Floats:
    """The whole number of false positives nearest to a kappa, which is a linear equation in it."""
    scale = kappa * (negatives - positives) + 2 * positives
    exact = (
        2 * tp * negatives - kappa * (tp * (negatives - positives) + positives * (positives + negatives))
    ) / scale
    whole: Floats = np.round(exact)
    return whole


def _kappa(tp: Floats, fp: Floats, positives: int, negatives: int) -> Floats:
    total = positives + negatives
    denominator = (tp + fp) * negatives + positives * (total - tp - fp)
    kappa: Floats = 2 * (tp * negatives - fp * positives) / denominator
    return kappa
