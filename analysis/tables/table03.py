"""Table 3: roadmap to the appendices."""

from __future__ import annotations

from typing import NoReturn

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 3, "Roadmap to the appendices", "RAIM, appendix A"
READS = ()


def build(derived: Derived) -> NoReturn:
    """Nothing to compute."""
    raise Skip("it is text about the paper's appendices, without a number")
