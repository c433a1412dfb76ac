"""Numbers for JSON files: never NaN, an undefined one is null with its reason, each beside its denominator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from analysis.judgemoe.statistics.cells import CellComparison
from analysis.judgemoe.statistics.clusters import Interval

CONSTANT = "predictions or targets are constant, or fewer than three items have both"


def plain(value: float) -> float | None:
    """None for NaN."""
    return None if math.isnan(value) else float(value)


def score(value: float, n: int, reason: str = CONSTANT) -> dict[str, Any]:
    """A score with its number of items, and a reason where it is undefined."""
    out: dict[str, Any] = {"estimate": plain(value), "n": n}
    if out["estimate"] is None:
        out["reason"] = reason
    return out


def with_interval(value: float, n: int, bounds: Interval, reason: str = CONSTANT) -> dict[str, Any]:
    """A score with its interval and the replicates in which it was defined."""
    out = score(value, n, reason)
    return {**out, "low": plain(bounds.low), "high": plain(bounds.high), "replicates": bounds.replicates}


def comparison(found: CellComparison) -> dict[str, Any]:
    """A comparison over cells."""
    return {
        "cells": found.cells,
        "method": plain(found.method),
        "baseline": plain(found.baseline),
        "difference": plain(found.difference),
        "positive": found.positive,
        "low": plain(found.interval.low),
        "high": plain(found.interval.high),
        "p_one_sided": plain(found.p_one_sided),
        "p_two_sided": plain(found.p_two_sided),
        **({"reason": "no cell has both scores"} if found.cells == 0 else {}),
    }


def floats(values: Sequence[float | None]) -> list[float]:
    """JSON numbers back as floats, null as NaN."""
    return [float("nan") if value is None else float(value) for value in values]
