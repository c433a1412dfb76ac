"""From one number to a bucket vector.

JudgeMoE adds experts to pools of distributions and does not say how their numbers become some. Here: a fixed increasing
map to [0, 1], which looks at no other item and at no human score, then the two labels around the number, weighted so
that the expected score is the number itself. A soft score is thus kept exactly, and ranks are those of the metric but
for what the map clips.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence


def unit(score: float, baseline: float = 0.0) -> float:
    """A number that is on [0, 1] by design (COMET), or above a baseline (BERTScore's rescaling), clipped to [0, 1]."""
    return min(1.0, max(0.0, (score - baseline) / (1.0 - baseline)))


def logistic(score: float, baseline: float = 0.0) -> float:
    """A reward, which has no scale: the logistic function, as in the Bradley-Terry loss that it was trained under."""
    x = score - baseline
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0.0 else math.exp(x) / (1.0 + math.exp(x))


#: By the name that a condition has.
MAPS: Mapping[str, Callable[[float, float], float]] = {"unit": unit, "logistic": logistic}


def bucket_vector(share: float, labels: Sequence[float]) -> tuple[float, ...]:
    """Probabilities over equidistant ascending labels whose expectation is at ``share`` of their range.

    Raises ValueError where ``share`` is not on [0, 1].
    """
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"a share is on [0, 1], not {share!r}")
    place = share * (len(labels) - 1)
    lower = min(int(place), len(labels) - 2)
    above = place - lower
    return tuple(1.0 - above if i == lower else above if i == lower + 1 else 0.0 for i in range(len(labels)))
