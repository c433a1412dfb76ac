"""Panels over two labels: unweighted majority and the stacked panel."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.alt_test.annotations import Annotations, HumanPanel, Labels, LeaveOneOutJudge, encode_humans
from analysis.alt_test.labels import ABSTAINED, is_missing
from analysis.alt_test.panels.gold import clear_majority, item_folds
from analysis.arrays import Floats
from analysis.combiners.stacked import stacked
from analysis.combiners.unweighted import unweighted
from analysis.statistics.folds import N_FOLDS
from raim.errors import InputError


@dataclass(frozen=True)
class BinaryPanel:
    """Judges over two labels, on the items that humans labelled.

    Attributes
    ----------
    humans : the humans' labels
    votes : (n, k) 1 where a judge gave ``positive``, 0 for ``negative``, NaN where it abstained or gave none
    positive, negative : the two labels
    """

    humans: HumanPanel
    votes: Floats
    positive: Hashable
    negative: Hashable

    def judge(self, predictions: Floats) -> dict[Hashable, object]:
        """``{item: label}`` of (n,) verdicts; NaN is an abstention."""
        label = {1.0: self.positive, 0.0: self.negative}
        return {
            item: label.get(verdict, ABSTAINED)
            for item, verdict in zip(self.humans.items, predictions.tolist(), strict=True)
        }


def binary_panel(
    humans: Annotations, judges: Mapping[str, Labels], positive: Hashable, negative: Hashable
) -> BinaryPanel:
    """Raises InputError where a judge gives a third label. Humans may: such labels are neither class."""
    panel = encode_humans(humans)
    votes = np.full((len(panel.items), len(judges)), np.nan)
    rows = {item: row for row, item in enumerate(panel.items)}
    for column, (name, labels) in enumerate(judges.items()):
        for item, label in labels.items():
            if item not in rows or label is ABSTAINED or is_missing(label):
                continue
            if label not in (positive, negative):
                raise InputError(
                    f"judge {name!r} gave {label!r} on {item!r}: neither {positive!r} nor {negative!r}"
                )
            votes[rows[item], column] = float(label == positive)
    return BinaryPanel(panel, votes, positive, negative)


def unweighted_judge(panel: BinaryPanel) -> dict[Hashable, object]:
    """The judges' majority; a tie is ``positive``, as in the paper's unweighted panel."""
    return panel.judge(unweighted(panel.votes))


def stacked_judge(
    panel: BinaryPanel, cluster: Callable[[Hashable], Hashable], leave_out: bool = True
) -> LeaveOneOutJudge | dict[Hashable, object]:
    """The stacked panel, out of fold by cluster, trained on the humans' clear majority.

    Parameters
    ----------
    panel : judges and humans
    cluster : cluster of an item; a cluster's items share a fold
    leave_out : compute the majority without the annotator under test, and one panel for each annotator; else the
        panel has seen, on other clusters, how that annotator votes
    """
    folds = item_folds(panel.humans.items, cluster)
    codes = {label: code for code, label in enumerate(panel.humans.vocabulary.labels)}
    missing = [label for label in (panel.positive, panel.negative) if label not in codes]
    if missing:
        raise InputError(f"no human gave the label {missing[0]!r}; the labels are {list(codes)}")

    def fitted(left_out: int | None) -> dict[Hashable, object]:
        majority = clear_majority(panel.humans, left_out)
        gold = (majority == codes[panel.positive]).astype(np.int64)
        labelled = (gold == 1) | (majority == codes[panel.negative])
        return panel.judge(stacked(panel.votes, gold, folds, N_FOLDS, labelled=labelled).predictions)

    if not leave_out:
        return fitted(None)
    return LeaveOneOutJudge({name: fitted(j) for j, name in enumerate(panel.humans.annotators)})
