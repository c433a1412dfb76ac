"""Decoded scores alone, the restricted-access case: a judge's distribution is the one-hot of its score."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.sources.rows import Items, cell_from_rows
from raim.errors import InputError

SUMMEVAL_SCALE = (1, 5)
ASPECTS = ("coherence", "consistency", "fluency", "relevance")


def one_hot(scores: Floats, grid: Floats) -> Floats:
    """(r, K) one-hot distributions of scores over an ascending grid that holds them all."""
    positions: Ints = np.searchsorted(grid, scores)
    return np.eye(len(grid))[positions]


def summeval_cells(folder: Path) -> list[Cell]:
    """One cell an aspect: six LLM judges on 100 documents x 16 systems, the target being the experts' mean.

    ``folder`` holds ``human_annotations.json`` and ``llm_annotations.json`` as ``{annotator: {instance: label}}``, an
    instance being ``document__system__aspect``; the cluster is the document.
    """
    human, llm = (_annotations(folder / f"{who}_annotations.json") for who in ("human", "llm"))
    return [_aspect_cell(aspect, human, llm) for aspect in ASPECTS]


def _annotations(path: Path) -> Mapping[str, Mapping[str, Any]]:
    try:
        read: Mapping[str, Mapping[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}") from None
    return read


def _aspect_cell(
    aspect: str, human: Mapping[str, Mapping[str, Any]], llm: Mapping[str, Mapping[str, Any]]
) -> Cell:
    low, high = SUMMEVAL_SCALE
    ids = sorted({i for labels in human.values() for i in labels if i.endswith(f"__{aspect}")})
    if not ids:
        raise InputError(
            f"SummEval: no instance of aspect {aspect!r}; instances are document__system__aspect"
        )
    judges = sorted(llm)
    means = np.array([np.mean([float(labels[i]) for labels in human.values() if i in labels]) for i in ids])
    rows = [
        (i, j, float(llm[judge][item]))
        for i, item in enumerate(ids)
        for j, judge in enumerate(judges)
        if item in llm[judge]
    ]
    grid = np.arange(low, high + 1, dtype=np.float64)
    scores = np.array([score for _, _, score in rows])
    if not np.isin(scores, grid).all():
        raise InputError(f"SummEval: an LLM score is not a whole number from {low} to {high}")
    return cell_from_rows(
        f"summeval-{aspect}",
        f"{low}-{high}",
        grid.tolist(),
        Items(ids, documents(ids), (means - low) / (high - low)),
        judges,
        np.array([i for i, _, _ in rows]),
        np.array([j for _, j, _ in rows]),
        one_hot(scores, grid),
        "decoded",
    )


def documents(ids: Sequence[str]) -> list[str]:
    """The document of each ``document__system__aspect``."""
    return [name.split("__", 1)[0] for name in ids]
