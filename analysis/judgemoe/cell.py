"""A cell: one dataset at one score range, as a tensor items x judges x labels (paper, section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from analysis.arrays import Bools, Floats, Ints
from raim.errors import InputError

#: Codes of ``Cell.splits``.
TRAIN, VALIDATION, TEST = 0, 1, 2
SPLITS = ("train", "validation", "test")

#: Where the probabilities come from: the judge's own over the labels, repeated samples, or one decoded score
#: (a one-hot, which says nothing of the judge's uncertainty).
ScoreSource: TypeAlias = Literal["token_probabilities", "samples", "decoded"]

#: How far a distribution may be from 1 in total: room for text rounded to five decimals, not for a lost label.
SUM_TOLERANCE = 1e-4


@dataclass(frozen=True, eq=False)
class Cell:
    """Judges' distributions about the items of one dataset at one score range.

    Attributes
    ----------
    dataset, scale : names; ``name`` is ``dataset@scale``.
    labels : (K,) label values on [0, 1], ascending.
    judges : m names.
    items : n ids.
    clusters : (n,) codes; items of one cluster (a document, a dialogue) never straddle a split made here.
    targets : (n,) human scores on [0, 1].
    probabilities : (n, m, K); zero where a judge is absent.
    present : (n, m); False where a judge gave no distribution. Every item has at least one judge.
    splits : (n,) codes of :data:`SPLITS`.
    score_source : where the probabilities come from.
    """

    dataset: str
    scale: str
    labels: Floats
    judges: tuple[str, ...]
    items: tuple[str, ...]
    clusters: Ints
    targets: Floats
    probabilities: Floats
    present: Bools
    splits: Ints
    score_source: ScoreSource = "token_probabilities"

    @property
    def name(self) -> str:
        """``dataset@scale``, as the paper writes cells."""
        return f"{self.dataset}@{self.scale}"

    @property
    def complete(self) -> bool:
        """Whether every judge answered about every item."""
        return bool(self.present.all())

    def take(self, rows: Ints | Bools) -> Cell:
        """The cell of some items: a boolean mask or positions."""
        index = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return replace(
            self,
            items=tuple(self.items[i] for i in index.tolist()),
            clusters=self.clusters[index],
            targets=self.targets[index],
            probabilities=self.probabilities[index],
            present=self.present[index],
            splits=self.splits[index],
        )

    def split(self, *codes: int) -> Cell:
        """The items of one or several splits."""
        return self.take(np.flatnonzero(np.isin(self.splits, codes)))

    def with_judges(self, judges: Sequence[str]) -> Cell:
        """The cell of some judges, in that order. Items that none of them judged are left out."""
        unknown = [judge for judge in judges if judge not in self.judges]
        if unknown or not judges:
            raise InputError(
                f"{self.name}: no judge {unknown or 'given'}; its judges are {list(self.judges)}"
            )
        index = [self.judges.index(judge) for judge in judges]
        narrowed = replace(
            self,
            judges=tuple(judges),
            probabilities=self.probabilities[:, index],
            present=self.present[:, index],
        )
        judged = narrowed.present.any(axis=1)
        return narrowed if judged.all() else narrowed.take(np.flatnonzero(judged))


def joined(cells: Sequence[Cell], dataset: str) -> Cell:
    """The items of several cells of one range as one cell, named ``dataset``; clusters of different cells stay apart.

    Raises InputError where judges, labels or the kind of scores differ.
    """
    first = cells[0]
    for cell in cells[1:]:
        if (cell.judges, cell.labels.tolist(), cell.score_source) != (
            first.judges,
            first.labels.tolist(),
            first.score_source,
        ):
            raise InputError(
                f"{first.name} and {cell.name} differ in judges, labels or kind of scores; join cells of one kind"
            )
    starts = np.cumsum([0, *(int(cell.clusters.max(initial=-1)) + 1 for cell in cells)])
    return replace(
        first,
        dataset=dataset,
        items=tuple(f"{cell.dataset}/{item}" for cell in cells for item in cell.items),
        clusters=np.concatenate([cell.clusters + start for cell, start in zip(cells, starts, strict=False)]),
        targets=np.concatenate([cell.targets for cell in cells]),
        probabilities=np.concatenate([cell.probabilities for cell in cells]),
        present=np.concatenate([cell.present for cell in cells]),
        splits=np.concatenate([cell.splits for cell in cells]),
    )


def build_cell(
    *,
    dataset: str,
    scale: str,
    label_values: Sequence[float],
    judges: Sequence[str],
    items: Sequence[str],
    clusters: Sequence[str],
    targets: Floats,
    probabilities: Floats,
    present: Bools,
    splits: Ints,
    score_source: ScoreSource = "token_probabilities",
) -> Cell:
    """Check the parts of a cell and normalise them: labels to [0, 1], each distribution to a total of exactly 1.

    ``label_values`` are the scores as the judge was asked for them (1..5); ``targets`` must be on [0, 1] already.

    Raises
    ------
    InputError
        Naming the item and judge, for mass that is negative or not finite or does not sum to 1; for targets outside
        [0, 1]; for repeated items or judges; for an item that no judge scored.
    """
    name = f"{dataset}@{scale}"
    values = np.asarray(label_values, dtype=np.float64)
    n, m, k = len(items), len(judges), len(values)
    if probabilities.shape != (n, m, k) or present.shape != (n, m):
        raise InputError(
            f"{name}: probabilities of shape {probabilities.shape} for {(n, m, k)} items, judges, labels"
        )
    if k < 2 or not np.all(np.diff(values) > 0):
        raise InputError(
            f"{name}: labels must be two or more scores in ascending order, not {values.tolist()}"
        )
    for what, ids in (("judge", judges), ("item", items)):
        if len(set(ids)) != len(ids):
            raise InputError(f"{name}: a {what} occurs twice; give every {what} an id of its own")
    off = np.flatnonzero(~((targets >= 0.0) & (targets <= 1.0)))
    if len(off):
        raise InputError(
            f"{name}, item {items[off[0]]}: target {targets[off[0]]} is not on [0, 1]; divide by the human scale first"
        )
    lonely = np.flatnonzero(~present.any(axis=1))
    if len(lonely):
        raise InputError(
            f"{name}, item {items[lonely[0]]}: no judge scored it; leave out the {len(lonely)} such items"
        )
    _check_mass(name, items, judges, probabilities, present)
    mass = np.where(present[:, :, None], probabilities, 0.0)
    totals = np.where(present, mass.sum(axis=2), 1.0)
    _, codes = np.unique(np.asarray(clusters, dtype=np.str_), return_inverse=True)
    return Cell(
        dataset=dataset,
        scale=scale,
        labels=(values - values[0]) / (values[-1] - values[0]),
        judges=tuple(judges),
        items=tuple(items),
        clusters=codes.astype(np.int64),
        targets=np.asarray(targets, dtype=np.float64),
        probabilities=mass / totals[:, :, None],
        present=np.asarray(present, dtype=np.bool_),
        splits=np.asarray(splits, dtype=np.int64),
        score_source=score_source,
    )


def _check_mass(
    name: str, items: Sequence[str], judges: Sequence[str], probabilities: Floats, present: Bools
) -> None:
    """Refuse a distribution that is none, by its item and judge."""
    bad_values = ~np.isfinite(probabilities) | (probabilities < 0.0)
    unusable = present & bad_values.any(axis=2)
    # NaN totals are reported by the line above, so they may compare as False here.
    with np.errstate(invalid="ignore"):
        unsummed = present & (np.abs(probabilities.sum(axis=2) - 1.0) > SUM_TOLERANCE)
    for wrong, what in ((unusable, "holds negative or non-finite mass"), (unsummed, "does not sum to 1")):
        where = np.argwhere(wrong)
        if len(where):
            i, j = where[0].tolist()
            raise InputError(
                f"{name}, item {items[i]}, judge {judges[j]}: the distribution {probabilities[i, j].tolist()} {what}; "
                f"normalise it over the labels, or leave the row out ({len(where)} such rows)"
            )
