"""The tempered log-opinion pool: a weighted geometric mean of distributions (paper, equation 2)."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats

#: Added to each probability inside the logarithm (paper, Table 10).
EPSILON = 1e-6


def log_probabilities(probabilities: Floats, epsilon: float = EPSILON) -> Floats:
    """(n, m, K) log(p + epsilon): computed once, shared by all log pools of a cell."""
    return np.log(probabilities + epsilon)


def log_pool(log_p: Floats, weights: Floats, temperature: float = 1.0) -> Floats:
    """(n, K) pooled distributions, proportional to exp(sum_j w_j log_p_j / T).

    ``log_p`` is (n, m, K) from :func:`log_probabilities`; ``weights`` is (m,) or (n, m) and sums to 1 over judges.
    """
    logits: Floats = np.einsum("m,nmk->nk" if weights.ndim == 1 else "nm,nmk->nk", weights, log_p)
    logits /= temperature
    logits -= logits.max(axis=1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    return logits
