"""Out-of-domain preferences: PPE (paper, Table 46)."""

from __future__ import annotations

from analysis.pipeline.derived import Derived
from analysis.skip import Skip
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 46, "Out-of-domain preferences: PPE", "JudgeMoE, appendix B.5"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> Table:
    """Skipped for every suite that ships."""
    raise Skip("it needs human preference pairs (PPE-Human-Preference-V1), which no input here has")
