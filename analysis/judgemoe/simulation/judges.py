"""Simulated judges around a known posterior (paper, equation 19, with the departures that real judges show).

An item x has a location mu and a width; its true posterior over the labels is p*(k) proportional to
exp(-(s_k - mu)^2 / (2 width^2)). A judge sees the location with an error and reports a posterior of temperature tau.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Ints
from analysis.judgemoe.theory.temperature import tempered


@dataclass(frozen=True)
class JudgeModel:
    """How one judge departs from the posterior.

    Attributes
    ----------
    tau : calibration temperature; 1 is calibrated, above 1 under-confident, below 1 over-confident.
    error : standard deviation of its error in location, on the [0, 1] scale; 0 leaves equation 19 exactly.
    bias : constant error in location.
    reversed_scale : reads the scale upside down: a contaminating judge, confident and wrong.
    specialty : the item type it understands; on other types its error is ``lost_error`` and its temperature
        ``lost_tau``. None: all types alike.
    """

    name: str
    tau: float = 1.0
    error: float = 0.0
    bias: float = 0.0
    reversed_scale: bool = False
    specialty: int | None = None
    lost_error: float = 0.5
    lost_tau: float = 6.0


def posterior(labels: Floats, location: Floats, width: Floats) -> Floats:
    """(n, K) true posterior of each item."""
    logits = -((labels[None, :] - location[:, None]) ** 2) / (2.0 * width[:, None] ** 2)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    distribution: Floats = powers / powers.sum(axis=1, keepdims=True)
    return distribution


def judge_distributions(
    models: tuple[JudgeModel, ...],
    labels: Floats,
    location: Floats,
    width: Floats,
    types: Ints,
    shared: float,
    rng: np.random.Generator,
) -> Floats:
    """(n, m, K) distributions of the judges; ``shared`` is the correlation of their errors in location."""
    n = len(location)
    common = rng.standard_normal(n)
    columns = []
    for model in models:
        own = rng.standard_normal(n)
        unit = np.sqrt(shared) * common + np.sqrt(1.0 - shared) * own
        lost = np.zeros(n, dtype=np.bool_) if model.specialty is None else types != model.specialty
        seen = 1.0 - location if model.reversed_scale else location
        seen = seen + model.bias + np.where(lost, model.lost_error, model.error) * unit
        # Floored so that the logarithm below exists; far under the pools' own epsilon.
        clear = np.maximum(posterior(labels, seen, width), 1e-300)
        columns.append(np.where(lost[:, None], tempered(clear, model.lost_tau), tempered(clear, model.tau)))
    return np.stack(columns, axis=1)
