"""Predictions of every method on items that it was not fitted on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import get_args

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.folds import cluster_folds
from analysis.judgemoe.cell import TEST, Cell
from analysis.judgemoe.deploy.methods import Method, fit
from raim.errors import InputError

METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """Predictions by method for the items held out in turn (``rows``, positions in the cell).

    ``reasons`` says why a method has none; ``sparse_judges`` are the judges each fold's sparse gate kept.
    """

    rows: Ints
    predictions: dict[Method, Floats]
    reasons: dict[Method, str] = field(default_factory=dict)


def out_of_fold(cell: Cell, *, folds: int, seed: int, use_splits: bool) -> OutOfFold:
    """Fit on all folds but one, predict that one; with splits, fit on train and validation and predict test.

    A method that cannot be fitted (no torch, no probabilities) has a reason instead of predictions.
    """
    parts = list(_split_parts(cell) if use_splits else _fold_parts(cell, folds, seed))
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


def _split_parts(cell: Cell) -> Iterator[tuple[Ints, Ints]]:
    held = np.flatnonzero(cell.splits == TEST)
    fitted = np.flatnonzero(cell.splits != TEST)
    if len(held) == 0 or len(fitted) == 0:
        raise InputError(
            f"{cell.name}: the split column needs train and test items; leave it out to cross-fit by cluster"
        )
    yield fitted, held


def _fold_parts(cell: Cell, folds: int, seed: int) -> Iterator[tuple[Ints, Ints]]:
    codes, inverse = np.unique(cell.clusters, return_inverse=True)
    if len(codes) < folds:
        raise InputError(
            f"{cell.name}: {len(codes)} clusters cannot make {folds} folds; give fewer with --folds, or finer clusters"
        )
    fold_of_item = cluster_folds(len(codes), folds, seed)[inverse]
    for fold in range(folds):
        yield np.flatnonzero(fold_of_item != fold), np.flatnonzero(fold_of_item == fold)
