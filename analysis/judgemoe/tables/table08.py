"""Related aggregation methods (paper, Table 8)."""

from __future__ import annotations

from typing import NoReturn

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 8, "Related aggregation methods", "JudgeMoE, appendix B.2"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> NoReturn:
    """Nothing to compute."""
    raise Skip("it is text about other methods, without a number")
