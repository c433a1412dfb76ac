"""Proposition 3: the error floor of averaging correlated judges."""

from __future__ import annotations


def averaged_error_variance(variance: float, correlation: float, judges: int) -> float:
    """Variance of the mean error of exchangeable judges (equation 13)."""
    return variance * (correlation + (1.0 - correlation) / judges)


def error_floor(variance: float, correlation: float) -> float:
    """What averaging ever more such judges cannot go below (equation 14)."""
    return variance * correlation
