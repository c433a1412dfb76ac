"""What a gate may see of a judge's distribution (paper, section 3.1, Tables 18 and 19)."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.cell import Cell
from raim.errors import InputError

#: A label is in a near tie with the mode when it has at least this share of the mode's probability.
NEAR_TIE = 0.5

SUMMARIES = ("hard", "soft", "confidence", "entropy", "maximum", "near_tie")

#: Feature sets by name. ``distribution`` stands for the K probabilities themselves.
FEATURE_SETS: dict[str, tuple[str, ...]] = {
    "hard": ("hard",),
    "soft": ("soft",),
    "scores": ("hard", "soft"),
    "summaries": SUMMARIES,
    "distribution": ("distribution",),
    "distribution_scores": ("distribution", "hard", "soft"),
    "full": ("distribution", *SUMMARIES),
}


def hard_scores(cell: Cell) -> Floats:
    """(n, m) the most probable label's value, the lowest among equals (equation 7); NaN where a judge is absent."""
    return np.where(cell.present, cell.labels[cell.probabilities.argmax(axis=2)], np.nan)


def soft_scores(cell: Cell) -> Floats:
    """(n, m) expected label value (equation 8); NaN where a judge is absent."""
    return np.where(cell.present, cell.probabilities @ cell.labels, np.nan)


def summaries(cell: Cell) -> dict[str, Floats]:
    """(n, m) arrays on [0, 1] by the names of :data:`SUMMARIES`, NaN where a judge is absent.

    The paper names these and gives no formula; ours: ``maximum`` is the mode's probability, ``confidence`` its lead
    over the runner-up, ``entropy`` Shannon's over log K, ``near_tie`` the mass of the other labels that
    have at least half of the mode's probability.
    """
    p = cell.probabilities
    top_two = np.partition(p, p.shape[2] - 2, axis=2)[:, :, -2:]
    runner_up, mode = top_two[:, :, 0], top_two[:, :, 1]
    logs = np.log(p, out=np.zeros_like(p), where=p > 0.0)
    values = {
        "hard": hard_scores(cell),
        "soft": soft_scores(cell),
        "confidence": mode - runner_up,
        "entropy": -np.einsum("nmk,nmk->nm", p, logs) / np.log(p.shape[2]),
        "maximum": mode,
        "near_tie": np.where(p >= NEAR_TIE * mode[:, :, None], p, 0.0).sum(axis=2) - mode,
    }
    return {name: np.where(cell.present, value, np.nan) for name, value in values.items()}


def feature_tensor(cell: Cell, feature_set: str) -> Floats:
    """(n, m, d) features of a set, zero where a judge is absent (gates give absent judges no weight).

    Raises InputError for an unknown set, and for one that needs probabilities where the cell has decoded scores only.
    """
    if feature_set not in FEATURE_SETS:
        raise InputError(f"no feature set {feature_set!r}; there are {', '.join(FEATURE_SETS)}")
    names = FEATURE_SETS[feature_set]
    if cell.score_source == "decoded" and feature_set not in ("hard", "distribution"):
        raise InputError(
            f"{cell.name}: feature set {feature_set!r} needs probabilities and the judges gave decoded scores only; "
            "use 'hard' or 'distribution' (the one-hot)"
        )
    wanted = set(names) - {"distribution"}
    scalars = summaries(cell) if wanted - {"hard", "soft"} else {}
    if "hard" in wanted:
        scalars["hard"] = hard_scores(cell)
    if "soft" in wanted:
        scalars["soft"] = soft_scores(cell)
    parts = [cell.probabilities if name == "distribution" else scalars[name][:, :, None] for name in names]
    return np.where(cell.present[:, :, None], np.concatenate(parts, axis=2), 0.0)
