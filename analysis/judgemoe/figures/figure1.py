"""Levels of information retention (paper, Figure 1)."""

from __future__ import annotations

from typing import NoReturn

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 1, "Three levels of information retention", "JudgeMoE, section 1"
READS: tuple[str, ...] = ()


def draw(derived: Derived) -> NoReturn:
    """Nothing to compute."""
    raise Skip("it is a drawing without a number; Table 19 measures the levels that it shows")
