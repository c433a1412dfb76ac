"""Larger evaluators that stand outside the pool, beside JudgeMoE on the same items (paper, Table 38)."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.judgemoe.cell import TEST
from analysis.judgemoe.metrics.spearman import spearman
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.gate_scores import gate_score, strongest_single
from analysis.judgemoe.studies.suite import PoolSuite
from analysis.judgemoe.studies.values import plain


def evaluators(suite: PoolSuite, gates: GateBook, compact: tuple[str, ...]) -> list[dict[str, Any]]:
    """Test Spearman of each evaluator, of the strongest judge, and of the compact pool without and with each expert."""
    rows = []
    for one in suite.evaluators:
        cell = one.cell
        kept = np.isfinite(one.scores) & (cell.splits == TEST)
        experts = {
            study.name: plain(gate_score(gates, study.cell, suite.mainline))
            for study in suite.followups
            if study.cell.scale == cell.scale and study.cell.dataset.startswith(f"{cell.dataset}+")
        }
        rows.append(
            {
                "cell": cell.name,
                "evaluator": one.name,
                "n": int(kept.sum()),
                "test_items": int((cell.splits == TEST).sum()),
                "spearman": plain(spearman(one.scores[kept], cell.targets[kept])),
                "best_single": plain(strongest_single(cell)),
                "homogeneous": plain(gate_score(gates, cell, suite.mainline, judges=compact)),
                "heterogeneous": experts,
            }
        )
    return rows
