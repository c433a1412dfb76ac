"""Experiment groups (paper, Table 7)."""

from __future__ import annotations

from typing import NoReturn

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 7, "Experiment groups", "JudgeMoE, appendix B.2"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> NoReturn:
    """Nothing to compute."""
    raise Skip("it is text about the paper's experiments, without a number")
