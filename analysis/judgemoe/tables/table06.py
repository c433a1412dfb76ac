"""Direct-score prompt templates (paper, Table 6)."""

from __future__ import annotations

from typing import NoReturn

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 6, "Direct-score prompt templates", "JudgeMoE, appendix B.1"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> NoReturn:
    """Nothing to compute."""
    raise Skip("it is text without a number; the prompts are in verdicts/scores/templates.py")
