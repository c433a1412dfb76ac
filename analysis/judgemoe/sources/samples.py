"""Repeated samples of a judge's score, as the outside Topical-Chat set has them: counts become distributions."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.sources.rows import Items, cell_from_rows
from raim.errors import InputError

#: Scale of the human scores and of the prompts, by attribute (Mehri and Eskenazi, 2020).
SCALES = {"coherence": (1, 3), "engagingness": (1, 3), "groundedness": (0, 1), "naturalness": (1, 3)}


def sampled_distributions(counts: Floats) -> tuple[Floats, Floats]:
    """Shares of (r, K) counts of the labels, and how many samples each row has; rows without samples are NaN."""
    totals = counts.sum(axis=1)
    return counts / np.where(totals > 0, totals, np.nan)[:, None], totals


def topical_chat_cells(path: Path) -> list[Cell]:
    """One cell an attribute: one judge under seven prompts, which are the cell's judges; 20 samples an item.

    The labels are the attribute's own scale. The few samples off it (``n4`` on a scale of 1 to 3) are off-label mass
    and are left out, as unparsed ones are; a prompt without any sample on the scale is absent on that item. Items are
    dialogue responses, clusters their contexts. Splits are made by cluster.
    """
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    return [
        _attribute_cell(path, name, scale, [r for r in rows if r["attribute"] == name])
        for name, scale in SCALES.items()
    ]


def _attribute_cell(
    path: Path, attribute: str, scale: tuple[int, int], rows: Sequence[dict[str, str]]
) -> Cell:
    if not rows:
        raise InputError(
            f"{path}: no rows of attribute {attribute!r}; give the file with the four attributes"
        )
    low, high = scale
    values = list(range(low, high + 1))
    shares, totals = sampled_distributions(np.array([[float(row[f"n{v}"]) for v in values] for row in rows]))
    kept = np.flatnonzero(totals > 0)
    of_item = {row["item"]: row for row in rows}
    ids = sorted({rows[i]["item"] for i in kept.tolist()}, key=int)
    prompts = sorted({row["prompt"] for row in rows})
    means = np.array([float(of_item[item]["human_mean3"]) for item in ids])
    return cell_from_rows(
        f"topicalchat-{attribute}",
        f"{low}-{high}",
        values,
        Items(
            ids, [of_item[item]["cluster"] for item in ids], np.clip((means - low) / (high - low), 0.0, 1.0)
        ),
        prompts,
        np.array([ids.index(rows[i]["item"]) for i in kept.tolist()]),
        np.array([prompts.index(rows[i]["prompt"]) for i in kept.tolist()]),
        shares[kept],
        "samples",
    )
