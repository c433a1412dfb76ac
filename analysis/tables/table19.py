"""Table 19: example items, matched pairs."""

from __future__ import annotations

from typing import NoReturn

from analysis.pipeline.derived import Derived
from analysis.skip import Skip

NUMBER, NAME, SOURCE = 19, "Example items: matched pairs", "RAIM, appendix J"
READS = ()


def build(derived: Derived) -> NoReturn:
    """Publishers' text is no part of the records."""
    raise Skip(
        "it quotes the publishers' texts, which are never shipped; `raim examples` makes it from your copies"
    )
