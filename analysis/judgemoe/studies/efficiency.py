"""How little training data the mainline needs (paper, Table 36)."""

from __future__ import annotations

from typing import Any

from analysis.judgemoe.cell import TEST, TRAIN
from analysis.judgemoe.diagnostics.sample_efficiency import (
    FRACTIONS,
    gain_threshold,
    least_fraction,
    training_fraction,
)
from analysis.judgemoe.gates.forward import gate_predict
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.gate_scores import strongest_single
from analysis.judgemoe.studies.suite import PoolSuite
from analysis.judgemoe.studies.values import plain


def efficiency(suite: PoolSuite, gates: GateBook) -> dict[str, Any]:
    """Per ablated cell: test Spearman at each share of the training clusters, and the least shares that suffice.

    The shares of the gain are undefined where the full gate does not beat the strongest single judge.
    """
    out = {}
    for cell in suite.ablated:
        test, train = cell.split(TEST), cell.split(TRAIN)
        scores = {}
        items = {}
        for fraction in FRACTIONS:
            gate = gates.gate(cell, suite.mainline, fraction=fraction)
            scores[fraction] = spearman(gate_predict(gate, test), test.targets)
            items[fraction] = len(training_fraction(train, fraction).items)
        single, full = strongest_single(cell), scores[1.0]
        least: dict[str, float | None] = {"above_single": least_fraction(scores, single, strict=True)}
        for share in (0.9, 0.95):
            threshold = gain_threshold(single, full, share)
            least[f"gain_{share:g}"] = least_fraction(scores, threshold) if full > single else None
        out[cell.name] = {
            "best_single": plain(single),
            "full": plain(full),
            "gain": plain(full - single),
            "fractions": [
                {"fraction": f, "items": items[f], "spearman": plain(scores[f])} for f in FRACTIONS
            ],
            "least": least,
        }
    return out
