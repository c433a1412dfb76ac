"""Shared prompt components (paper, Table 5)."""

from __future__ import annotations

from typing import NoReturn

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 5, "Shared prompt components", "JudgeMoE, appendix B.1"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> NoReturn:
    """Nothing to compute."""
    raise Skip("it is text without a number; the prompts are in verdicts/scores/templates.py")
