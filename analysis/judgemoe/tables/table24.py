"""Validation signals and choices (paper, Table 24)."""

from __future__ import annotations

from typing import NoReturn

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 24, "Validation signals and choices", "JudgeMoE, section 6.1"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> NoReturn:
    """Nothing to compute."""
    raise Skip(
        "it is the rule in words, without a number; analysis/judgemoe/selectors/rule.py has it and "
        "Table 4 applies it"
    )
