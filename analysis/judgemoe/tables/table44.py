"""Out-of-domain preferences: Arena (paper, Table 44)."""

from __future__ import annotations

from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 44, "Out-of-domain preferences: Arena", "JudgeMoE, appendix B.5"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> Table:
    """Skipped for every suite that ships."""
    raise Skip("it needs human preference pairs (Arena), which no input here has")
