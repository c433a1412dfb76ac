"""Array types shared by the analysis."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: float64 array; votes and predictions hold 1 (hallucinated), 0 (supported) and NaN (abstained).
Floats: TypeAlias = NDArray[np.float64]
#: Integer array: gold labels, folds, cluster codes.
Ints: TypeAlias = NDArray[np.signedinteger[Any]]
Bools: TypeAlias = NDArray[np.bool_]
