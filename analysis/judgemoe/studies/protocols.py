"""The protocol study over a suite (paper, Figure 2, Tables 15, 16 and 17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from analysis.judgemoe.cell import TEST, Cell
from analysis.judgemoe.metrics.residuals import mean_residual_correlation
from analysis.judgemoe.protocol.ranges import (
    best_range_counts,
    protocol_runs,
    select_protocols,
    soft_over_hard,
)
from analysis.judgemoe.protocol.styles import compare_styles, non_default_best
from analysis.judgemoe.selectors.singles import judge_spearmans
from analysis.judgemoe.statistics.cells import equal_cell_mean, sample_weighted_mean
from analysis.judgemoe.studies.gate_book import GateBook
from analysis.judgemoe.studies.gate_scores import gate_score
from analysis.judgemoe.studies.suite import PoolSuite
from analysis.judgemoe.studies.values import plain


def ranges(cells: Sequence[Cell]) -> dict[str, Any]:
    """Which range is best, soft against hard, and protocols selected on validation."""
    runs = protocol_runs(cells)
    rows = {}
    for selector, chosen in select_protocols(runs).items():
        tests, sizes = np.array([c.test for c in chosen]), np.array([float(c.items) for c in chosen])
        rows[selector] = {
            "pairs": len(chosen),
            "equal_cell": plain(equal_cell_mean(tests)) if len(chosen) else None,
            "weighted": plain(sample_weighted_mean(tests, sizes)) if len(chosen) else None,
            "scales": sorted({c.scale for c in chosen}),
            **(
                {}
                if chosen
                else {"reason": "no dataset-judge pair has both fixed ranges with defined correlations"}
            ),
        }
    return {
        "runs": [
            {key: plain(value) if isinstance(value, float) else value for key, value in asdict(run).items()}
            for run in runs
        ],
        "usable": sum(run.usable for run in runs),
        "best_range": best_range_counts(runs),
        "soft_over_hard": {scale: {"wins": w, "runs": n} for scale, (w, n) in soft_over_hard(runs).items()},
        "selectors": rows,
    }


def styles(suite: PoolSuite) -> dict[str, Any]:
    """Table 16: rows are a model on a cell; judges of a style cell are named ``model#style``."""
    rows: dict[str, dict[str, float]] = {}
    for cell in suite.styles:
        for judge, value in zip(cell.judges, judge_spearmans(cell).tolist(), strict=True):
            model, style = split_style(judge)
            rows.setdefault(f"{cell.name} {model}".strip(), {})[style] = value
    table = compare_styles(list(rows.values()), suite.default_style)
    return {
        "default": suite.default_style,
        "rows": {name: {style: plain(value) for style, value in row.items()} for name, row in rows.items()},
        "styles": [{**asdict(row), "mean": plain(row.mean)} for row in table],
        "non_default_best": non_default_best(list(rows.values()), suite.default_style),
    }


def diversity(suite: PoolSuite, gates: GateBook) -> dict[str, Any] | None:
    """Table 17: a pool of the default style alone against one with all styles of the same models.

    None where fewer than two judges have the default style: there is no default pool to compare with.
    """
    pools: dict[str, list[tuple[float, float]]] = {"default": [], "diverse": []}
    sizes = {"default": 0, "diverse": 0}
    for cell in suite.styles:
        default = tuple(judge for judge in cell.judges if split_style(judge)[1] == suite.default_style)
        if len(default) < 2:
            return None
        for name, judges in (("default", default), ("diverse", cell.judges)):
            sizes[name] = len(judges)
            correlation = mean_residual_correlation(cell.with_judges(judges))
            score = gate_score(gates, cell, suite.mainline, judges=judges, split=TEST)
            pools[name].append((correlation, score))
    return {
        "cells": [cell.name for cell in suite.styles],
        "pools": {
            name: {
                "judges": sizes[name],
                "correlation": plain(equal_cell_mean(np.array([row[0] for row in rows]))),
                "judgemoe": plain(equal_cell_mean(np.array([row[1] for row in rows]))),
            }
            for name, rows in pools.items()
        },
        "diverse_wins": sum(b[1] > a[1] for a, b in zip(pools["default"], pools["diverse"], strict=True)),
    }


def split_style(judge: str) -> tuple[str, str]:
    """Model and style of ``model#style``; a name without a mark is a style of one unnamed model."""
    model, mark, style = judge.rpartition("#")
    return (model, style) if mark else ("", judge)
