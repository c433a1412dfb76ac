"""Strong single-judge follow-ups (paper, Table 38)."""

from __future__ import annotations

from analysis.derived import Derived
from analysis.skip import Skip
from analysis.tables.render import Table

NUMBER, NAME, SOURCE = 38, "Strong single-judge follow-ups", "JudgeMoE, appendix B.2"
READS: tuple[str, ...] = ()


def build(derived: Derived) -> Table:
    """Skipped for every suite that ships."""
    raise Skip("it needs a large evaluator (Qwen2.5-72B) on the same items, which no input here has")
