"""The linear opinion pool: a weighted mean of distributions."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats


def linear_pool(probabilities: Floats, weights: Floats) -> Floats:
    """(n, K) pooled distributions from (n, m, K) and weights (m,) or (n, m) that sum to 1 over judges."""
    pooled: Floats = np.einsum("m,nmk->nk" if weights.ndim == 1 else "nm,nmk->nk", weights, probabilities)
    return pooled
