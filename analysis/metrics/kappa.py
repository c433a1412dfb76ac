"""Cohen's kappa over committed items."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats
from analysis.metrics.confusion import Confusion


def kappa(counts: Confusion, *, constant_undefined: bool = False) -> Floats:
    """Cohen's kappa with gold over the committed items (section 2); NaN where undefined.

    Undefined with fewer than two committed items or one gold class among them. A constant predictor on two
    gold classes agrees as chance would, 0; the learning curve and the labelling budget of appendix C count it
    as undefined instead (``constant_undefined``).

    Written as 2 (tp tn - fp fn) / ((tp + fp)(fp + tn) + (tp + fn)(fn + tn)), which is (p_o - p_e) / (1 - p_e)
    with numerator and denominator whole numbers: one rounding, and equal kappas are equal in floating point.
    """
    tp, fp, fn, tn = counts.tp, counts.fp, counts.fn, counts.tn
    undefined = (tp + fn == 0) | (fp + tn == 0)
    if constant_undefined:
        undefined = undefined | (tp + fp == 0) | (fn + tn == 0)
    denominator = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    return np.where(undefined, np.nan, 2 * (tp * tn - fp * fn) / np.where(undefined, 1.0, denominator))


def why_undefined(counts: Confusion) -> str | None:
    """In words, why the kappa of one method (scalar counts) has no value; None where it has one."""
    positive, negative = float(counts.tp + counts.fn), float(counts.fp + counts.tn)
    if positive > 0 and negative > 0:
        return None
    if positive + negative == 0:
        return "no committed item"
    if positive + negative == 1:
        return "one committed item"
    return f"all committed items have gold {int(positive > 0)}"
