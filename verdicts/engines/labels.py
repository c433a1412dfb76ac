"""From token log-probabilities to label probabilities (RAIM, appendix D; JudgeMoE, sections 3.1 and 4.3)."""

from __future__ import annotations

import math
from collections.abc import Sequence


def label_masses(logprobs: Sequence[Sequence[float]], tokens: Sequence[Sequence[int]]) -> list[float]:
    """Probability of each whole label, in the order given.

    A label of several tokens has the product of their conditional probabilities. A label that begins another one
    ('1' and '10', where digits are tokens of their own) does not count the longer one: the paths of the labels that
    extend it are taken off, those that extend only a longer label being in that label's path already.
    """
    paths = [math.exp(math.fsum(row)) for row in logprobs]
    masses = list(paths)
    for long, sequence in enumerate(tokens):
        begins = [short for short, other in enumerate(tokens) if _is_proper_prefix(other, sequence)]
        if begins:
            masses[max(begins, key=lambda short: len(tokens[short]))] -= paths[long]
    return [max(mass, 0.0) for mass in masses]


def normalise(masses: Sequence[float]) -> tuple[tuple[float, ...] | None, float | None]:
    """Probabilities over the labels and the mass off them; (None, None) where the masses are not finite or all zero."""
    total = math.fsum(masses)
    if not math.isfinite(total) or total <= 0.0:
        return None, None
    probabilities = [mass / total for mass in masses]
    return tuple(probabilities), max(0.0, 1.0 - total)


def _is_proper_prefix(short: Sequence[int], long: Sequence[int]) -> bool:
    return len(short) < len(long) and tuple(long[: len(short)]) == tuple(short)
