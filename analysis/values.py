"""Numbers as the derived tier holds them: None where there is no value."""

from __future__ import annotations

from typing import Any

import numpy as np


def plain(value: Any) -> float | None:
    """A float, or None for NaN."""
    return None if np.isnan(value) else float(value)
