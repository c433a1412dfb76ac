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
    first = max(0, scores.committed - supported)
    for positives in range(first, min(hallucinated, scores.committed) + 1):
        negatives = scores.committed - positives
        tp = _range(scores.true_positives, positives)[:, None]
        fp = _range(scores.false_positives, negatives)[None, :]
        if scores.true_negatives is not None:
            fp = fp[fp == negatives - scores.true_negatives][None, :]
        kappa = _kappa(tp, fp, positives, negatives)
        for row, column in np.argwhere(np.abs(kappa - scores.kappa) < _SAME):
            hits, alarms = int(tp[row, 0]), int(fp[0, column])
            found.append(Table(hits, alarms, positives - hits, negatives - alarms))
    return found


def balanced(kappa: float, bias: float, class_size: int) -> Table:
    """The table of a judge that commits on all items of two classes of ``class_size``, nearest to a kappa and a bias.

    The kappa is met to half of ``1 / class_size``, exactly where it is a multiple of that.
    """
    net = round(kappa * class_size)
    hits = round(class_size * (1 + kappa - bias) / 2)
    hits = min(max(hits, net, 0), class_size, class_size + net)
    return Table(hits, hits - net, class_size - hits, class_size - hits + net)


def _range(count: int | None, most: int) -> Floats:
    """Possible values of a count: the published one where there is one and it fits, else all up to ``most``."""
    if count is None:
        return np.arange(most + 1, dtype=np.float64)
    return np.array([count] if count <= most else [], dtype=np.float64)


def _kappa(tp: Floats, fp: Floats, positives: int, negatives: int) -> Floats:
    fn, tn = positives - tp, negatives - fp
    denominator = (tp + fp) * negatives + positives * (fn + tn)
    kappa: Floats = 2 * (tp * tn - fp * fn) / np.where(denominator == 0, np.nan, denominator)
    return kappa
