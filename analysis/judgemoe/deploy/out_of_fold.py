"""Predictions of every method on items that it was not fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, get_args

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.cell import TEST, TRAIN, VALIDATION, Cell
from analysis.judgemoe.deploy.methods import Method, fit
from analysis.judgemoe.statistics.clusters import bootstrap_metrics
from analysis.statistics.folds import cluster_folds
from raim.errors import InputError

METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Predictions by method for the items held out in turn (``rows``, positions in the cell).

    ``reasons`` says why a method has none.
    """

    rows: Ints
    predictions: dict[Method, Floats]
    reasons: dict[Method, str] = field(default_factory=dict)


#: Positions of the items that are fitted on, and of those that are then predicted.
Part: TypeAlias = tuple[Ints, Ints]


def out_of_fold(cell: Cell, parts: Sequence[Part], seed: int) -> OutOfFold:
    """Fit every method on the first items of each part and predict the second.

    A method that cannot be fitted (no torch, no probabilities) has a reason instead of predictions.
    """
    rows = np.concatenate([held for _, held in parts])
    predictions: dict[Method, Floats] = {}
    reasons: dict[Method, str] = {}
    for method in METHODS:
        try:
            found = [fit(method, cell.take(fitted), seed).predict(cell.take(held)) for fitted, held in parts]
        except InputError as error:
            reasons[method] = str(error)
        else:
            predictions[method] = np.concatenate(found)
    return OutOfFold(rows, predictions, reasons)


def held_out_part(cell: Cell) -> list[Part]:
    """Train and validation items, then test items. Raises InputError where either is missing."""
    held, fitted = np.flatnonzero(cell.splits == TEST), np.flatnonzero(cell.splits != TEST)
    if len(held) == 0 or len(fitted) == 0:
        raise InputError(
            f"{cell.name}: the split column needs train and test items; leave it out to cross-fit by cluster"
        )
    return [(fitted, held)]


def validation_part(cell: Cell) -> list[Part]:
    """Train items, then validation items; nothing where either is missing."""
    fitted, held = np.flatnonzero(cell.splits == TRAIN), np.flatnonzero(cell.splits == VALIDATION)
    return [(fitted, held)] if len(fitted) and len(held) else []


def fold_parts(cell: Cell, folds: int, seed: int) -> list[Part]:
    """Each fold of clusters held out in turn. Raises InputError for fewer clusters than folds."""
    codes, inverse = np.unique(cell.clusters, return_inverse=True)
    if len(codes) < 2:
        raise InputError(
            f"{cell.name}: all items are of one cluster, and a cluster is never cut; give the document of each item"
        )
    if len(codes) < folds:
        raise InputError(
            f"{cell.name}: {len(codes)} clusters cannot make {folds} folds; give --folds {len(codes)} or fewer, "
            "or finer clusters"
        )
    fold_of_item = cluster_folds(len(codes), folds, seed)[inverse]
    return [
        (np.flatnonzero(fold_of_item != fold), np.flatnonzero(fold_of_item == fold)) for fold in range(folds)
    ]


@dataclass(frozen=True, eq=False)
class Scored:
    """Held-out items that every method predicted, the predictions, and bootstrap draws of their scores."""

    found: OutOfFold
    cell: Cell
    predictions: dict[Method, Floats]
    draws: dict[str, dict[str, Floats]]


def score_parts(cell: Cell, parts: Sequence[Part], seed: int) -> Scored:
    """Out-of-fold predictions, narrowed to the items that every method predicted, with bootstrap draws.

    Raises InputError where there is no such item.
    """
    found = out_of_fold(cell, parts, seed)
    kept = np.flatnonzero(np.isfinite(np.stack(list(found.predictions.values()))).all(axis=0))
    if len(kept) == 0:
        raise InputError(
            f"{cell.name}: no held-out item has a prediction by every method: the judges that stand alone scored "
            "none in common; give items that several judges scored"
        )
    scored = cell.take(found.rows[kept])
    predictions = {name: values[kept] for name, values in found.predictions.items()}
    draws = bootstrap_metrics(
        {str(n): values for n, values in predictions.items()}, scored.targets, scored.clusters
    )
    return Scored(found, scored, predictions, draws)
