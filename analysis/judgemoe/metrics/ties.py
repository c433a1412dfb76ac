"""When two predictions are the same number."""

from __future__ import annotations

import numpy as np

from analysis.arrays import Floats

#: Decimals kept before predictions are compared. Sums in another order differ by about 1e-16, which would break ties
#: and move values over bin edges, and so move rank correlations by far more than the 1e-8 that numbers are checked to.
DECIMALS = 10


def snapped(values: Floats) -> Floats:
    """Values on a grid of 1e-10: what is equal on paper is equal here."""
    return np.round(values, DECIMALS)
