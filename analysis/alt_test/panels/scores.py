"""Panels over numbers: mean, median and a calibrated pool, as they are or rounded to the humans' labels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.alt_test.annotations import Annotations, HumanPanel, Labels, LeaveOneOutJudge, encode_humans
from analysis.alt_test.panels.gold import item_folds, mean_label
from analysis.arrays import Floats
from analysis.statistics.folds import N_FOLDS
from raim.errors import InputError


@dataclass(frozen=True)
class ScorePanel:
    """Judges' numbers on the items that humans labelled: ``scores`` (n, k), complete."""

    humans: HumanPanel
    scores: Floats

    def judge(self, pooled: Floats, rounded: bool = False) -> dict[Hashable, float]:
        """``{item: number}``; rounded to the nearest label that a human gave, a tie to the higher."""
        values = pooled
        if rounded:
            labels = self.humans.vocabulary.numbers("rounding to labels")
            middles = (labels[1:] + labels[:-1]) / 2.0
            values = labels[np.searchsorted(middles, pooled, side="right")]
        return dict(zip(self.humans.items, values.tolist(), strict=True))


def score_panel(humans: Annotations, judges: Mapping[str, Labels]) -> ScorePanel:
    """Raises InputError where a judge lacks an item that a human labelled, or gave what is not a number."""
    panel = encode_humans(humans)
    scores = np.empty((len(panel.items), len(judges)))
    for column, (name, labels) in enumerate(judges.items()):
        for row, item in enumerate(panel.items):
            label = labels.get(item)
            if isinstance(label, bool) or not isinstance(label, int | float):
                raise InputError(
                    f"a pool needs a number of every judge on every item: {name!r} gave {label!r} on {item!r}"
                )
            scores[row, column] = label
    return ScorePanel(panel, scores)


def mean_pool(panel: ScorePanel) -> Floats:
    """(n,) mean of the judges."""
    pooled: Floats = panel.scores.mean(axis=1)
    return pooled


def median_pool(panel: ScorePanel) -> Floats:
    """(n,) median of the judges."""
    pooled: Floats = np.median(panel.scores, axis=1)
    return pooled


def calibrated_judge(
    panel: ScorePanel,
    cluster: Callable[[Hashable], Hashable],
    aspect: Callable[[Hashable], Hashable],
    rounded: bool,
) -> LeaveOneOutJudge:
    """Least squares of the humans' mean on the judges, by aspect, out of fold by cluster, without the one under test.

    The counterpart of the stacked panel for scores: it learns each judge's weight and the humans' level, which a
    plain mean of judges that are stricter than the humans misses.

    Parameters
    ----------
    panel : judges and humans
    cluster, aspect : of an item; every aspect has a fit of its own in every fold
    rounded : round to the humans' labels
    """
    items = panel.humans.items
    folds = item_folds(items, cluster)
    names = [str(aspect(item)) for item in items]
    aspects = np.unique(names, return_inverse=True)[1]
    design = np.column_stack([np.ones(len(items)), panel.scores])

    def fitted(left_out: int) -> dict[Hashable, float]:
        target = mean_label(panel.humans, left_out)
        pooled = np.empty(len(items))
        for group in range(int(aspects.max()) + 1):
            for fold in range(N_FOLDS):
                test = (aspects == group) & (folds == fold)
                train = (aspects == group) & (folds != fold) & ~np.isnan(target)
                if test.any():
                    pooled[test] = design[test] @ np.linalg.lstsq(design[train], target[train])[0]
        return panel.judge(pooled, rounded)

    return LeaveOneOutJudge({name: fitted(j) for j, name in enumerate(panel.humans.annotators)})
