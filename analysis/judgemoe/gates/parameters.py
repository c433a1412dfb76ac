"""A trained gate as plain arrays, and the settings it is trained with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from analysis.arrays import Floats
from analysis.judgemoe.features import FEATURE_SETS
from raim.errors import InputError

Architecture: TypeAlias = Literal["linear", "low_rank", "ffn", "deepsets"]
#: What the gate's weights pool: distributions in log space, distributions linearly (which is the weighted mean of soft
#: scores), or decoded scores, for judges that give no probabilities.
GatePool: TypeAlias = Literal["log", "linear", "hard"]

HIDDEN = 128
RANK = 8


@dataclass(frozen=True)
class Training:
    """Settings of one training run; the defaults are the paper's mainline (Table 10).

    ``pair_weight`` is lambda of equation 6 and ``direct`` says whether the direct loss is in the objective. The paper
    does not state the low-rank gate's rank; 8 is ours.
    """

    architecture: Architecture = "deepsets"
    features: str = "full"
    pool: GatePool = "log"
    temperature: float = 0.7
    epochs: int = 20
    seed: int = 13
    batch: int = 128
    learning_rate: float = 8e-4
    dropout: float = 0.1
    direct: bool = True
    pair_weight: float = 0.0
    margin: float = 0.0

    def __post_init__(self) -> None:
        if self.architecture not in get_args(Architecture) or self.pool not in get_args(GatePool):
            raise InputError(f"no gate {self.architecture!r} with pool {self.pool!r}")
        if self.features not in FEATURE_SETS:
            raise InputError(f"no feature set {self.features!r}; there are {', '.join(FEATURE_SETS)}")
        if not self.direct and self.pair_weight <= 0.0:
            raise InputError("a gate trained without the direct loss needs a positive pair_weight")


@dataclass(frozen=True, eq=False)
class Gate:
    """A trained gate: for these judges in this order, over these labels, with these arrays.

    Arrays by architecture, for m judges and d features a judge, h = 128 hidden units, rank r = 8:
    ``linear``: weight (m d, m), bias (m); ``low_rank``: left (m d, r), right (r, m), bias (m);
    ``ffn``: weight (m d, h), bias (h), out (h, m), out_bias (m); ``deepsets``: weight (d, h), bias (h), score (h).
    """

    judges: tuple[str, ...]
    labels: tuple[float, ...]
    training: Training
    arrays: Mapping[str, Floats]

    def __post_init__(self) -> None:
        expected = shapes(self.training, len(self.judges), len(self.labels))
        found = {name: array.shape for name, array in self.arrays.items()}
        if found != expected:
            raise InputError(
                f"the gate's arrays have shapes {found}, its kind has {expected}; train it again"
            )


def feature_count(feature_set: str, n_labels: int) -> int:
    """Number of features a judge."""
    return sum(n_labels if name == "distribution" else 1 for name in FEATURE_SETS[feature_set])


def shapes(training: Training, m: int, n_labels: int) -> dict[str, tuple[int, ...]]:
    """Shapes of a gate's arrays, in the order in which they are drawn."""
    d = feature_count(training.features, n_labels)
    if training.architecture == "linear":
        return {"weight": (m * d, m), "bias": (m,)}
    if training.architecture == "low_rank":
        return {"left": (m * d, RANK), "right": (RANK, m), "bias": (m,)}
    if training.architecture == "ffn":
        return {"weight": (m * d, HIDDEN), "bias": (HIDDEN,), "out": (HIDDEN, m), "out_bias": (m,)}
    return {"weight": (d, HIDDEN), "bias": (HIDDEN,), "score": (HIDDEN,)}


def initial_arrays(training: Training, m: int, n_labels: int, rng: np.random.Generator) -> dict[str, Floats]:
    """Uniform on +-1/sqrt(fan in), as linear layers are usually started, from our generator and not a framework's."""
    out: dict[str, Floats] = {}
    fan_in = 1
    for name, shape in shapes(training, m, n_labels).items():
        # A bias has the fan-in of the weight before it.
        fan_in = fan_in if name.endswith("bias") else shape[0]
        out[name] = rng.uniform(-1.0, 1.0, shape) / np.sqrt(fan_in)
    return out
