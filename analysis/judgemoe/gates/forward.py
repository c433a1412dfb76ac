"""Applying a trained gate: numpy alone."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Bools, Floats
from analysis.judgemoe.cell import Cell
from analysis.judgemoe.features import feature_tensor, hard_scores
from analysis.judgemoe.gates.parameters import Gate
from analysis.judgemoe.pools.linear import linear_pool
from analysis.judgemoe.pools.log import log_pool, log_probabilities
from raim.errors import InputError

#: Items a block: the hidden layer of one block fits in memory whatever the cell's size.
_BLOCK = 8192


def gate_weights(gate: Gate, cell: Cell) -> Floats:
    """(n, m) weights of the gate's judges on each item: a softmax over the judges that are present (equation 1).

    Rows are NaN where none of them is. Raises InputError where the cell lacks a judge of the gate, or has other labels.
    """
    features, present = _inputs(gate, cell)
    blocks = [
        _masked_softmax(_logits(gate, features[start : start + _BLOCK]), present[start : start + _BLOCK])
        for start in range(0, len(features), _BLOCK)
    ]
    return np.concatenate(blocks) if blocks else np.empty(present.shape)


def gate_distribution(gate: Gate, cell: Cell, weights: Floats | None = None) -> Floats:
    """(n, K) pooled distributions of a gate that pools distributions (log or linear)."""
    if gate.training.pool == "hard":
        raise InputError("a gate over decoded scores pools scores and has no distribution")
    weights = gate_weights(gate, cell) if weights is None else weights
    index = [cell.judges.index(judge) for judge in gate.judges]
    chosen = cell.probabilities[:, index]
    if gate.training.pool == "linear":
        return linear_pool(chosen, weights)
    return log_pool(log_probabilities(chosen), weights, gate.training.temperature)


def gate_predict(gate: Gate, cell: Cell, weights: Floats | None = None) -> Floats:
    """(n,) final scores (equation 3); NaN where none of the gate's judges is present."""
    weights = gate_weights(gate, cell) if weights is None else weights
    if gate.training.pool == "hard":
        index = [cell.judges.index(judge) for judge in gate.judges]
        scores = np.where(cell.present, hard_scores(cell), 0.0)[:, index]
        pooled: Floats = np.einsum("nm,nm->n", weights, scores)
        return pooled
    return gate_distribution(gate, cell, weights) @ cell.labels


def _inputs(gate: Gate, cell: Cell) -> tuple[Floats, Bools]:
    missing = [judge for judge in gate.judges if judge not in cell.judges]
    if missing:
        raise InputError(
            f"{cell.name}: the gate was trained with judge {missing[0]!r}, which is not in the data"
        )
    if tuple(cell.labels.tolist()) != gate.labels:
        raise InputError(
            f"{cell.name}: the gate is for labels {gate.labels}, the data have {cell.labels.tolist()}"
        )
    index = [cell.judges.index(judge) for judge in gate.judges]
    return feature_tensor(cell, gate.training.features)[:, index], cell.present[:, index]


def _logits(gate: Gate, features: Floats) -> Floats:
    arrays = gate.arrays
    if gate.training.architecture == "deepsets":
        hidden = np.maximum(features @ arrays["weight"] + arrays["bias"], 0.0)
        logits: Floats = hidden @ arrays["score"]
        return logits
    flat = features.reshape(len(features), -1)
    if gate.training.architecture == "linear":
        logits = flat @ arrays["weight"] + arrays["bias"]
    elif gate.training.architecture == "low_rank":
        logits = flat @ arrays["left"] @ arrays["right"] + arrays["bias"]
    else:
        hidden = np.maximum(flat @ arrays["weight"] + arrays["bias"], 0.0)
        logits = hidden @ arrays["out"] + arrays["out_bias"]
    return logits


def _masked_softmax(logits: Floats, present: Bools) -> Floats:
    shifted = np.where(present, logits, -np.inf)
    peak = shifted.max(axis=1, keepdims=True)
    powers: Floats = np.exp(shifted - np.where(np.isfinite(peak), peak, 0.0))
    totals = powers.sum(axis=1, keepdims=True)
    weights: Floats = powers / np.where(totals > 0.0, totals, np.nan)
    return weights
