"""The ranking loss beside the direct one (paper, Tables 42 and 43)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import TEST, TRAIN, Cell
from analysis.judgemoe.gates.forward import gate_predict
from analysis.judgemoe.gates.train import Pairs
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.metrics.ties import snapped
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

    They stand in for human preferences, which none of the inputs has. Which item of a pair comes first is drawn, so
    that position says nothing.
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
    if len(left) > max_pairs:
        kept = np.sort(rng.choice(len(left), max_pairs, replace=False))
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
    """Direct, joint and pair-only training of the compact pool on the suite's pairwise cells."""
    rows: dict[str, Any] = {}
    for cell in (c for c in suite.original if c.name in suite.pairwise):
        small = cell.with_judges(compact)
        train_pairs = cluster_pairs(small.split(TRAIN))
        test = small.split(TEST)
        test_pairs = cluster_pairs(test)
        variants = {"direct": suite.mainline}
        variants |= {f"joint_{weight:g}": replace(suite.mainline, pair_weight=weight) for weight in LAMBDAS}
        variants["pair_only"] = replace(suite.mainline, pair_weight=1.0, direct=False)
        scores = {}
        for name, training in variants.items():
            gate = gates.gate(cell, training, judges=compact, pairs=None if name == "direct" else train_pairs)
            prediction = gate_predict(gate, test)
            scores[name] = {
                "spearman": plain(spearman(prediction, test.targets)),
                "accuracy": plain(pair_accuracy(prediction, test_pairs)),
            }
        rows[cell.name] = {
            "train_pairs": len(train_pairs.first),
            "test_pairs": len(test_pairs.first),
            "variants": scores,
        }
    names = ["direct", *(f"joint_{weight:g}" for weight in LAMBDAS), "pair_only"]
    return {
        "judges": list(compact),
        "cells": rows,
        "mean": {
            name: {
                metric: plain(
                    equal_cell_mean(
                        np.array(floats([row["variants"][name][metric] for row in rows.values()]))
                    )
                )
                for metric in ("spearman", "accuracy")
            }
            for name in names
        },
    }
