"""Validation procedure (paper, Table 25)."""

from __future__ import annotations

from typing import NoReturn

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 25, "Validation procedure", "JudgeMoE, appendix B.2"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> NoReturn:
    """Nothing to compute."""
    raise Skip(
        "it is the procedure in words, without a number; analysis/judgemoe/studies/selection.py has it"
    )
