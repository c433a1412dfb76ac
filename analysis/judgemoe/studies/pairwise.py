"""The ranking loss beside the direct one (paper, Tables 42 and 43).

The paper trains its compact pool on scores, adds the ranking loss of 20,000 human preferences, and decides other human
preferences by which side scores higher. Suites without preferences have pairs of items of one cluster in their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.cell import TEST, TRAIN, Cell, joined
from analysis.judgemoe.gates.forward import gate_predict
from analysis.judgemoe.gates.parameters import Training
from analysis.judgemoe.gates.train import Pairs
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.metrics.ties import snapped
from analysis.judgemoe.sources.preferences import preference_pairs
from analysis.judgemoe.statistics.cells import equal_cell_mean
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.suite import PoolSuite
from analysis.judgemoe.studies.values import floats, plain

LAMBDAS = (0.1, 0.5, 1.0)
#: Pairs taken from one cell's training split at most, as the paper takes 20,000 from its own.
MAX_PAIRS = 20_000
SEED = 13


def cluster_pairs(cell: Cell, *, max_pairs: int = MAX_PAIRS, seed: int = SEED) -> Pairs:
    """Preferences within clusters: all pairs of items of one cluster whose human scores differ, or a seeded share.

    They stand in for human preferences. Which item of a pair comes first is drawn, so that position says nothing.
    """
    rng = np.random.default_rng(seed)
    order = np.argsort(cell.clusters, kind="stable")
    bounds = np.flatnonzero(np.diff(cell.clusters[order])) + 1
    first, second = [], []
    for group in np.split(order, bounds):
        a, b = np.triu_indices(len(group), 1)
        different = cell.targets[group[a]] != cell.targets[group[b]]
        first.append(group[a[different]])
        second.append(group[b[different]])
    left, right = np.concatenate(first), np.concatenate(second)
    kept = _at_most(len(left), max_pairs, rng)
    left, right = left[kept], right[kept]
    swap = rng.random(len(left)) < 0.5
    left, right = np.where(swap, right, left), np.where(swap, left, right)
    return Pairs(cell, left, right, np.where(cell.targets[left] > cell.targets[right], 1, -1))


def pair_accuracy(scores: Floats, pairs: Pairs) -> float:
    """Share of pairs that the scores order as preferred; equal scores count half. NaN without pairs."""
    if len(pairs.first) == 0:
        return float("nan")
    signs = np.sign(snapped(scores[pairs.first] - scores[pairs.second])) * pairs.preferred
    return float(((signs + 1.0) / 2.0).mean())


def pairwise(suite: PoolSuite, gates: GateBook, compact: tuple[str, ...]) -> dict[str, Any]:
    """Direct, joint and pair-only training, on the suite's preferences or else on pairs of its pairwise cells."""
    if suite.preferences:
        return _on_preferences(suite, gates)
    rows: dict[str, Any] = {}
    for cell in (c for c in suite.original if c.name in suite.pairwise):
        small = cell.with_judges(compact)
        train_pairs = cluster_pairs(small.split(TRAIN))
        test = small.split(TEST)
        test_pairs = cluster_pairs(test)
        scores = {}
        for name, training in _variants(suite.mainline).items():
            gate = gates.gate(cell, training, judges=compact, pairs=None if name == "direct" else train_pairs)
            prediction = gate_predict(gate, test)
            scores[name] = {
                "spearman": plain(spearman(prediction, test.targets)),
                "accuracy": plain(pair_accuracy(prediction, test_pairs)),
            }
        rows[cell.name] = _row(train_pairs, test_pairs, scores)
    return {"judges": list(compact), "cells": rows, "mean": _means(rows.values())}


def _on_preferences(suite: PoolSuite, gates: GateBook) -> dict[str, Any]:
    """Gates trained on all original cells of a range together, and on the preferences that are for training.

    The pool is that of the judges who were asked about the preferences; the direct Spearman is the mean of the original
    cells' own on test.
    """
    asked = [cell.judges for cell in (*suite.preferences, *suite.original)]
    judges = tuple(judge for judge in asked[0] if all(judge in others for others in asked))
    if len(judges) < 2:
        return {"skipped": "no two judges were asked both for all scores and about all preferences"}
    rows: dict[str, Any] = {}
    for scale in dict.fromkeys(cell.scale for cell in suite.preferences):
        cells = [cell.with_judges(judges) for cell in suite.original if cell.scale == scale]
        preferred = [cell.with_judges(judges) for cell in suite.preferences if cell.scale == scale]
        together = joined(preferred, "preferences")
        train_pairs = _fewer(preference_pairs(together, together.splits == TRAIN))
        if not cells or len(train_pairs.first) == 0:
            continue
        direct = joined(cells, "direct")
        trained = {
            name: gates.gate(direct, training, pairs=None if name == "direct" else train_pairs)
            for name, training in _variants(suite.mainline).items()
        }
        tests = [cell.split(TEST) for cell in cells]
        quality = {
            name: equal_cell_mean(
                np.array([spearman(gate_predict(gate, test), test.targets) for test in tests])
            )
            for name, gate in trained.items()
        }
        for cell in preferred:
            pairs = preference_pairs(cell, cell.splits != TRAIN)
            scores = {
                name: {
                    "spearman": plain(quality[name]),
                    "accuracy": plain(pair_accuracy(gate_predict(gate, cell), pairs)),
                }
                for name, gate in trained.items()
            }
            rows[cell.name] = _row(train_pairs, pairs, scores)
    if not rows:
        return {"skipped": "no preferences of a range that scores were asked at are for training"}
    datasets = list(dict.fromkeys(cell.dataset for cell in suite.preferences))
    return {"judges": list(judges), "preferences": datasets, "cells": rows, "mean": _means(rows.values())}


def _variants(mainline: Training) -> dict[str, Training]:
    return {
        "direct": mainline,
        **{f"joint_{weight:g}": replace(mainline, pair_weight=weight) for weight in LAMBDAS},
        "pair_only": replace(mainline, pair_weight=1.0, direct=False),
    }


def _row(train: Pairs, test: Pairs, scores: Mapping[str, Any]) -> dict[str, Any]:
    return {"train_pairs": len(train.first), "test_pairs": len(test.first), "variants": scores}


def _means(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Equal-cell means of each variant."""
    variants: Sequence[Mapping[str, Any]] = [row["variants"] for row in rows]
    names = ["direct", *(f"joint_{weight:g}" for weight in LAMBDAS), "pair_only"]
    return {
        name: {
            metric: plain(equal_cell_mean(np.array(floats([found[name][metric] for found in variants]))))
            for metric in ("spearman", "accuracy")
        }
        for name in names
    }


def _fewer(pairs: Pairs) -> Pairs:
    kept = _at_most(len(pairs.first), MAX_PAIRS, np.random.default_rng(SEED))
    return Pairs(pairs.cell, pairs.first[kept], pairs.second[kept], pairs.preferred[kept])


def _at_most(count: int, most: int, rng: np.random.Generator) -> Ints:
    """All positions, or a seeded share of them in order."""
    if count <= most:
        return np.arange(count)
    chosen: Ints = np.sort(rng.choice(count, most, replace=False))
    return chosen
