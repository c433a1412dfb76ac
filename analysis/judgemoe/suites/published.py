"""The published per-cell numbers in the shape of the derived files, so that the same tables are made from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.judgemoe.published.aggregate import (
    SUBSETS,
    aggregate,
    group_cells,
    power_from_cells,
    power_from_moments,
    weighted_subset,
)
from analysis.judgemoe.published.cells import column, differences, published
from analysis.judgemoe.statistics.cells import equal_cell_mean
from analysis.judgemoe.studies.comparison import BASELINES
from analysis.judgemoe.studies.compute import compute
from analysis.judgemoe.studies.predictions import METHODS
from analysis.judgemoe.studies.values import comparison, plain
from verdicts.records.canonical import digest

NAME = "paper"
_NOT_PRINTED = "the paper does not print it"
_NO_ITEMS = "the paper publishes no per-item predictions"


def published_derived() -> dict[str, dict[str, Any]]:
    """The derived files of the published numbers; every study that needs items is skipped."""
    data = published()
    cells = {cell["cell"]: _cell(cell) for cell in (*data["original"], *data["additional"])}
    costs = data["compute"]
    (reference,) = costs["reference"].items()
    studies = ("data", "behaviour", "selection", "theory", "architectures", "access", "efficiency", "experts")
    return {
        "overview": {
            "suite": NAME,
            "title": "JudgeMoE, the published numbers",
            "label": "Published numbers.",
            "records": digest(data),
            "original": [cell["cell"] for cell in data["original"]],
            "additional": [cell["cell"] for cell in data["additional"]],
            "compact": costs["compact"],
        },
        "comparison": {
            "cells": cells,
            "summary": {
                "original": _summary("original"),
                "all": _summary("all"),
                "extended": {
                    dataset: _summary(f"with {dataset}")
                    for dataset in ("HelpSteer2 val.", "FLASK", "WildBench")
                },
            },
            "weighted_subsets": {name: weighted_subset(left_out) for name, left_out in SUBSETS.items()},
            "printed_power": {baseline: power_from_moments(baseline) for baseline in BASELINES},
        },
        "compute": compute(costs["judges"], costs["compact"], reference, costs["tokens"]),
        **{
            name: {"skipped": _NO_ITEMS}
            for name in (*studies, "pairwise", "protocol", "styles", "diversity", "truth")
        },
    }


def _cell(cell: dict[str, Any]) -> dict[str, Any]:
    dataset, scale = cell["cell"].rsplit("@", 1)
    n = cell.get("n")

    def score(value: float | None) -> dict[str, Any]:
        return (
            {"estimate": value, "n": n}
            if value is not None
            else {"estimate": None, "n": n, "reason": _NOT_PRINTED}
        )

    gaps = {baseline: plain(float(differences([cell], baseline)[0])) for baseline in BASELINES}
    low, high = cell.get("interval", (None, None))
    printed = {"low": low, "high": high, "p_value": cell.get("p_value")}
    blank = dict.fromkeys(printed)
    return {
        "dataset": dataset,
        "scale": scale,
        "n": n,
        "singles": {"best_single": cell.get("best_judge", "—")},
        "methods": {
            method: {"spearman": score(cell.get(method)), "ece": score(None), "mae": score(None)}
            for method in METHODS
        },
        "differences": {
            baseline: {**score(gap), **(printed if baseline == "best_single" else blank)}
            for baseline, gap in gaps.items()
        },
    }


def _summary(group: str) -> dict[str, Any]:
    cells = group_cells(group)
    # A mean over the cells that print a score would compare different cells: it stands only where all print it.
    means = {
        m: equal_cell_mean(column(cells, m)) if np.isfinite(column(cells, m)).all() else float("nan")
        for m in METHODS
    }
    return {
        "cells": len(cells),
        "spearman": {method: plain(value) for method, value in means.items()},
        "ece": dict.fromkeys(METHODS),
        "mae": dict.fromkeys(METHODS),
        "comparisons": {baseline: comparison(aggregate(baseline, group)) for baseline in BASELINES},
        "power": {baseline: power_from_cells(baseline) for baseline in BASELINES},
    }
