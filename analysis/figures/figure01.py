"""Figure 1: the protocol at a glance."""

from __future__ import annotations

from typing import NoReturn

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 1, "The protocol at a glance", "RAIM, section 1"
READS = ()


def draw(derived: Derived) -> NoReturn:
    """Nothing to compute."""
    raise Skip("it is a diagram without a number; docs/overview.svg shows this project's")
