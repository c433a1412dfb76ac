"""Bootstrap draws summarised: mean, percentile interval and one-sided p of the defined ones."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from analysis.arrays import Floats
from analysis.values import plain

#: Percentiles of the 95% interval.
PERCENTILES = (2.5, 97.5)


@dataclass(frozen=True)
class Interval:
    """Summary of one quantity's draws; None where no draw is defined.

    Attributes
    ----------
    resample_mean : mean of the defined draws, the central value that Tables 1, 13 and 15-17 print
    low, high : 2.5th and 97.5th percentile of the defined draws (linear interpolation)
    undefined_draws : draws without a value
    """

    resample_mean: float | None
    low: float | None
    high: float | None
    undefined_draws: int


def interval(draws: Floats) -> Interval:
    """Summarise the draws (B,) of one quantity, NaN = undefined."""
    defined = draws[~np.isnan(draws)]
    if len(defined) == 0:
        return Interval(None, None, None, len(draws))
    low, high = np.percentile(defined, PERCENTILES)
    return Interval(float(defined.mean()), float(low), float(high), len(draws) - len(defined))


def described(estimate: float, draws: Floats, undefined: str) -> dict[str, Any]:
    """A quantity on the sample and its draws (B,) as plain values, with the reason ``undefined`` where it has none."""
    result = {"estimate": plain(estimate), **asdict(interval(draws))}
    if result["estimate"] is None:
        result["reason"] = undefined
    return result


def mean_of_defined(values: Floats) -> Floats:
    """(B,) mean of the defined entries of each row of ``values`` (B, k); NaN where none is."""
    defined = (~np.isnan(values)).sum(axis=1)
    return np.where(defined == 0, np.nan, np.nansum(values, axis=1) / np.maximum(defined, 1))


def one_sided_p(draws: Floats) -> float | None:
    """Share of the defined draws (B,) of a difference that are at most 0; None if none is defined."""
    defined = draws[~np.isnan(draws)]
    return float(np.mean(defined <= 0)) if len(defined) else None


def p_in_words(p: float | None, n_draws: int) -> str | None:
    """A p as it is printed: ``< 1/B`` where none of the B defined draws is at most 0."""
    if p is None:
        return None
    return f"< 1/{n_draws}" if p == 0 else f"{p:.4g}"
