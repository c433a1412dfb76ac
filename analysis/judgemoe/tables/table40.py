"""Implementation details (paper, Table 40)."""

from __future__ import annotations

from typing import NoReturn

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 40, "Implementation details", "JudgeMoE, appendix B.3"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> NoReturn:
    """Nothing to compute."""
    raise Skip(
        "it is text without a number of its own; Table 10 has the settings, "
        "analysis/judgemoe/gates/train.py the training"
    )
