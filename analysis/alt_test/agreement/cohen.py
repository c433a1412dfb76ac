"""Cohen's kappa of two annotators."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Ints


def cohen_kappa(a: Ints, b: Ints) -> float | None:
    """``(p_o - p_e) / (1 - p_e)`` of two (n,) code arrays; None where both gave one and the same label throughout.

    Cohen (1960). With one label there is nothing to agree on beyond chance, and the formula is 0 / 0.
    """
    labels, codes = np.unique(np.concatenate([a, b]), return_inverse=True)
    n = len(a)
    shares_a = np.bincount(codes[:n], minlength=len(labels)) / n
    shares_b = np.bincount(codes[n:], minlength=len(labels)) / n
    expected = float(shares_a @ shares_b)
    if len(labels) == 1:
        return None
    return (float((a == b).mean()) - expected) / (1.0 - expected)
