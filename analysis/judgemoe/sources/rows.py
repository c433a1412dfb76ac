"""From rows (an item, a judge, a distribution) to the tensor of a cell; all sources end here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.cell import Cell, ScoreSource, build_cell
from analysis.judgemoe.splits import split_by_cluster, split_codes
from raim.errors import InputError


@dataclass(frozen=True, eq=False)
class Items:
    """The items of a cell. ``splits`` are names, None where the dataset has none: they are then made by cluster."""

    ids: Sequence[str]
    clusters: Sequence[str]
    targets: Floats
    splits: Sequence[str] | None = None


def cell_from_rows(
    dataset: str,
    scale: str,
    label_values: Sequence[float],
    items: Items,
    judges: Sequence[str],
    item_of_row: Ints,
    judge_of_row: Ints,
    distributions: Floats,
    score_source: ScoreSource = "token_probabilities",
) -> Cell:
    """Place (r, K) distributions by the item and judge of each row; the places left over are absent judges.

    Raises InputError where a judge has two rows for an item, and as :func:`build_cell` does.
    """
    n, m, k = len(items.ids), len(judges), len(label_values)
    places = item_of_row * m + judge_of_row
    first, counts = np.unique(places, return_counts=True)
    if (counts > 1).any():
        item, judge = divmod(int(first[counts > 1][0]), m)
        raise InputError(
            f"{dataset}@{scale}, item {items.ids[item]}, judge {judges[judge]}: more than one row; keep one"
        )
    probabilities = np.zeros((n * m, k))
    probabilities[places] = distributions
    present = np.zeros(n * m, dtype=np.bool_)
    present[places] = True
    if items.splits is None:
        _, codes = np.unique(np.asarray(items.clusters, dtype=np.str_), return_inverse=True)
        splits = split_by_cluster(codes.astype(np.int64))
    else:
        splits = split_codes(items.splits)
    return build_cell(
        dataset=dataset,
        scale=scale,
        label_values=label_values,
        judges=judges,
        items=items.ids,
        clusters=items.clusters,
        targets=items.targets,
        probabilities=probabilities.reshape(n, m, k),
        present=present.reshape(n, m),
        splits=splits,
        score_source=score_source,
    )
