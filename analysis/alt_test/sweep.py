"""The winning rate as a function of epsilon (section B.1, Figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.alt_test.decision import winning_rate
from analysis.alt_test.fdr import by_rejections
from analysis.alt_test.items import item_weights
from analysis.alt_test.results import PASSING_RATE, AltTestResult
from analysis.alt_test.setup import Setup
from analysis.alt_test.testing import plain_test

#: Figure 3's range.
EPSILONS: Final = tuple(round(0.01 * step, 2) for step in range(41))


@dataclass(frozen=True)
class Sweep:
    """Winning rates of a judge over epsilon.

    Attributes
    ----------
    epsilons : ascending
    winning_rates : omega at each
    smallest_passing : the smallest of ``epsilons`` at which the judge passes, None where it passes at none
    """

    epsilons: tuple[float, ...]
    winning_rates: tuple[float, ...]
    smallest_passing: float | None


def sweep_epsilon(
    result: AltTestResult, setup: Setup, epsilons: Sequence[float] = EPSILONS
) -> dict[str, Sweep]:
    """Test again at each epsilon; the comparisons, which do not depend on it, are those of the result (of ``setup``).

    Judges without a result are left out.
    """
    sweeps = {}
    for name, judged in result.judges.items():
        tested = [part.annotator for part in judged.evidence.annotators]
        if not tested:
            continue
        annotators = result.evidence.test.humans.annotators
        comparisons = [part for part in judged.evidence.comparisons if annotators[part.annotator] in tested]
        weights = [item_weights(part, result.evidence.test, setup.weighting) for part in comparisons]
        quality = result.evidence.quality
        if quality is not None:
            quality = quality[[part.annotator for part in comparisons]]
        rates = []
        for epsilon in epsilons:
            p_values = np.array(
                [
                    plain_test(part.d, weight, epsilon, setup.few_items).p_value
                    for part, weight in zip(comparisons, weights, strict=True)
                ]
            )
            rates.append(winning_rate(by_rejections(p_values, result.q), quality))
        passing = [epsilon for epsilon, rate in zip(epsilons, rates, strict=True) if rate >= PASSING_RATE]
        sweeps[name] = Sweep(tuple(epsilons), tuple(rates), min(passing, default=None))
    return sweeps
